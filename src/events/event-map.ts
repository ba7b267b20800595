/** Everything that others are told about, by name: the payload as it stands on the wire. */
export interface EventMap {
  'skill.created': SkillEvent;
  'skill.updated': SkillEvent;
  'skill.deleted': SkillEvent;
  'skill.toggled': SkillEvent & { readonly enabled: boolean };
  'skill.moved': SkillEvent & { readonly from: string };
  'skill.revoked': SkillEvent & { readonly revoked_digest: string };
  'skill.labeled': SkillEvent & { readonly label: string };
  'workflow.updated': { readonly workflow_id: string; readonly version: number };
  'preset.updated': { readonly preset_id: string };
}

interface SkillEvent {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
}

export type EventType = keyof EventMap;
