interface FindingKind {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

/**
 * Every remark that Skillwright makes about a file, folder or request. `docs/errors.md` shows the list.
 * A severity is the default; a finding may carry another where the place decides.
 */
export const FINDINGS = {
  // SKILL.md as a file
  encoding_invalid: { severity: 'error', message: 'The file is not valid UTF-8.' },
  skill_md_too_large: { severity: 'error', message: 'SKILL.md is larger than allowed.' },
  frontmatter_too_large: { severity: 'error', message: 'The frontmatter is larger than allowed.' },
  frontmatter_missing: { severity: 'error', message: 'The file has no frontmatter.' },
  frontmatter_unclosed: { severity: 'error', message: 'The frontmatter is never closed by a line of ---.' },
  frontmatter_kind: {
    severity: 'error',
    message: 'Only YAML frontmatter is read; nothing in it is executed.',
  },
  frontmatter_not_a_mapping: {
    severity: 'error',
    message: 'The frontmatter must be a mapping of keys to values.',
  },
  blank_before_frontmatter: { severity: 'warning', message: 'Blank lines stand before the opening ---.' },
  file_name_case: { severity: 'warning', message: 'The file should be called SKILL.md.' },
  // YAML
  yaml_invalid: { severity: 'error', message: 'The frontmatter is not valid YAML.' },
  yaml_duplicate_key: { severity: 'error', message: 'The same key stands twice in the frontmatter.' },
  yaml_alias: { severity: 'error', message: 'YAML anchors and aliases are refused.' },
  yaml_tag: { severity: 'error', message: 'YAML tags are refused.' },
  yaml_too_deep: { severity: 'error', message: 'The frontmatter is nested too deeply.' },
  yaml_recovered: {
    severity: 'warning',
    message: 'The unquoted value is not text in YAML; it was read as it is written.',
  },
  yaml_comment_cut: {
    severity: 'warning',
    message: 'The value was cut at " #", which starts a comment in YAML.',
  },
  text_unstorable: { severity: 'error', message: 'The text holds a character that cannot be stored.' },
  // Fields
  field_missing: { severity: 'error', message: 'A required field is missing.' },
  field_blank: { severity: 'error', message: 'A required field is blank.' },
  field_type: { severity: 'error', message: 'The field has the wrong type.' },
  field_too_long: { severity: 'warning', message: 'The field is longer than recommended.' },
  field_unknown: { severity: 'warning', message: 'The field is not known; it is kept.' },
  field_extension: {
    severity: 'info',
    message: 'The field is not part of the open Agent Skills specification.',
  },
  field_spelling: { severity: 'warning', message: 'The key is spelled with an underscore.' },
  field_dropped: { severity: 'warning', message: 'The key is not safe to keep and was dropped.' },
  field_value_unclear: { severity: 'warning', message: 'The value is not clearly true or false.' },
  metadata_not_text: { severity: 'warning', message: 'Metadata values should be text.' },
  tool_name_legacy: { severity: 'warning', message: 'The tool has an older, internal name.' },
  // Names
  name_missing: { severity: 'warning', message: "The name is missing; the folder's name is used." },
  name_invalid: { severity: 'error', message: 'The name is not acceptable.' },
  name_nonconforming: { severity: 'warning', message: 'The name does not follow the Agent Skills grammar.' },
  name_mismatch: { severity: 'warning', message: 'The name differs from the name of its folder.' },
  name_shared: { severity: 'warning', message: 'Several skills carry the same name.' },
  description_near_duplicate: {
    severity: 'warning',
    message: 'Another skill says nearly the same; a model can hardly choose between them.',
  },
  slug_invalid: { severity: 'error', message: 'The folder path cannot be the address of a skill.' },
  slug_nonconforming: {
    severity: 'warning',
    message: 'The folder name does not follow the Agent Skills grammar.',
  },
  slug_mismatch: {
    severity: 'warning',
    message: 'The slug in the file differs from its folder; the folder decides.',
  },
  // Text a model reads
  hidden_unicode: {
    severity: 'warning',
    message: 'The text holds invisible characters; prompts are made without them.',
  },
  control_token: { severity: 'warning', message: 'The text holds a control token of a model.' },
  body_empty: { severity: 'warning', message: 'The skill has no instructions below its frontmatter.' },
  body_long: { severity: 'info', message: 'The instructions are longer than the recommended 500 lines.' },
  // Discovery
  skill_md_missing: { severity: 'warning', message: 'The folder has no SKILL.md and no skill below it.' },
  shadowed: { severity: 'warning', message: 'An earlier location has a skill of the same address.' },
  shadows_bundled: { severity: 'warning', message: 'The skill hides a bundled skill of the same slug.' },
  builtin_reserved: {
    severity: 'warning',
    message: 'A builtin skill has this name; the folder is not used.',
  },
  location_missing: { severity: 'info', message: 'The location does not exist.' },
  location_unreadable: { severity: 'warning', message: 'The location cannot be read.' },
  location_duplicate: { severity: 'warning', message: 'The location is named twice.' },
  folder_unreadable: { severity: 'warning', message: 'The folder cannot be read.' },
  file_unreadable: { severity: 'error', message: 'The file cannot be read.' },
  file_not_regular: { severity: 'error', message: 'The path is not a regular file.' },
  file_unstable: {
    severity: 'warning',
    message: 'The file is being written; the last good state is used for the moment.',
  },
  skill_md_misplaced: {
    severity: 'warning',
    message: 'A SKILL.md lies where only folders of skills are looked for.',
  },
  earlier_broken: {
    severity: 'warning',
    message: 'An earlier location has a skill of this address that cannot be used.',
  },
  link_refused: {
    severity: 'warning',
    message: 'The link leaves every configured location and was not followed.',
  },
  link_dangling: { severity: 'warning', message: 'The link points nowhere.' },
  link_skipped: { severity: 'warning', message: 'The link inside the skill was left out.' },
  file_name_unreadable: {
    severity: 'warning',
    message: 'The file name is not valid UTF-8; the file was left out.',
  },
  walk_limit: {
    severity: 'warning',
    message: 'The walk stopped at a limit; what lies beyond was not looked at.',
  },
  skill_too_large: {
    severity: 'error',
    message: 'The folder holds more files or bytes than a skill may have.',
  },
  // Folder and catalogue
  sync_both_changed: {
    severity: 'warning',
    message: 'Folder and catalogue were both changed; the folder is the new version above the other.',
  },
  sync_no_base: {
    severity: 'warning',
    message: 'Folder and catalogue differed when they first met; both are in the history.',
  },
  sync_edited_after_delete: {
    severity: 'warning',
    message: 'The skill was deleted while its folder was changed; the folder brought it back.',
  },
  sync_deleted_while_changed: {
    severity: 'warning',
    message: 'The folder was deleted while the skill was changed; the folder was written again.',
  },
  sync_interrupted_write: {
    severity: 'warning',
    message: 'Somebody wrote into the folder while it was being written; what was found is in the history.',
  },
  last_good_kept: {
    severity: 'warning',
    message: 'The folder cannot be used as it is; the last good version goes on.',
  },
  location_vanished: {
    severity: 'error',
    message: 'The location or most of its skills are gone at once; nothing was deleted.',
  },
  sync_blocked: {
    severity: 'warning',
    message: 'The folder could not be written; the catalogue goes on without it.',
  },
  bundle_left: {
    severity: 'warning',
    message: 'The skill is no longer part of the bundle and was disabled.',
  },
  workspace_marker_replaced: {
    severity: 'warning',
    message: 'The file that says which workspace this is could not be read and was replaced.',
  },
  // Imports
  scan_piped_download: { severity: 'warning', message: 'A download is run without being looked at.' },
  scan_destructive_command: {
    severity: 'warning',
    message: 'A command deletes or overwrites without bounds.',
  },
  scan_reverse_shell: { severity: 'warning', message: 'A shell is opened to another machine.' },
  scan_decoded_command: { severity: 'warning', message: 'A command is hidden in an encoding and run.' },
  scan_persistence: {
    severity: 'warning',
    message: 'Something is made to run again later, or a key to be let in.',
  },
  scan_credential_access: { severity: 'warning', message: 'A file or address of credentials is named.' },
  scan_environment_dump: { severity: 'warning', message: 'The whole environment is read.' },
  scan_exfiltration_host: { severity: 'warning', message: 'A host is named that collects what it is sent.' },
  scan_prompt_injection: {
    severity: 'warning',
    message: 'The text tells a model to break its rules or to hide.',
  },
  scan_secret: { severity: 'warning', message: 'The text looks like a secret; it is not shown here.' },
  scan_native_binary: { severity: 'warning', message: 'The file is a program; it was not looked into.' },
  scan_nested_archive: { severity: 'warning', message: 'The file is an archive; it was not looked into.' },
  scan_document: { severity: 'info', message: 'The file is a document that can hold other files.' },
  archive_refused: { severity: 'error', message: 'The archive would be refused.' },
  lfs_pointer: {
    severity: 'warning',
    message: 'The file is a Git LFS pointer; what it points at was not fetched.',
  },
  submodule_skipped: { severity: 'warning', message: 'The submodule inside the skill was left out.' },
  marketplace_invalid: { severity: 'warning', message: 'marketplace.json cannot be read and was not used.' },
  marketplace_skill_missing: {
    severity: 'warning',
    message: 'marketplace.json names a folder that has no SKILL.md.',
  },
  // Folder and catalogue
  // Presets, workflows, steps
  json_invalid: { severity: 'error', message: 'The file is not valid JSON.' },
  workflow_file_shape: { severity: 'error', message: 'workflow.json must be an object.' },
  step_config_shape: {
    severity: 'error',
    message: 'step_config.json must be an object with a list "steps".',
  },
  step_duplicate: { severity: 'error', message: 'Two steps have the same id.' },
  step_key_misplaced: {
    severity: 'warning',
    message: 'The key has a meaning inside agent_configs only; here it is kept and has no effect.',
  },
  step_config_twice: {
    severity: 'warning',
    message: 'step_config.json stands twice; the one in the root is used.',
  },
  emptied_by_detach: {
    severity: 'warning',
    message: 'The list of the step is empty because its last skill was deleted.',
  },
  step_invalid: { severity: 'error', message: 'The step is not valid.' },
  step_config_missing: { severity: 'info', message: 'The workflow has no step_config.json.' },
  step_not_configured: { severity: 'warning', message: 'The step has no entry and inherits the preset.' },
  no_preset: { severity: 'warning', message: 'No preset is bound, so a step without a list gets no skills.' },
  preset_binding_differs: {
    severity: 'warning',
    message: 'The database binds another preset than workflow.json.',
  },
  preset_file_invalid: { severity: 'error', message: 'The file is not a preset.' },
  preset_duplicate: { severity: 'error', message: 'An earlier file has a preset of the same id.' },
  preset_unknown: { severity: 'warning', message: 'The bound preset does not exist.' },
  ref_by_name: { severity: 'warning', message: 'The reference matched a name, not a slug.' },
  ref_duplicate: { severity: 'warning', message: 'The skill is named more than once.' },
  mode_without_skill: {
    severity: 'warning',
    message: 'skill_modes names a skill that the step does not get.',
  },
  listing_over_budget: { severity: 'warning', message: 'The listing is larger than its budget.' },
  grant_invalid: { severity: 'error', message: 'The path cannot be granted or blocked.' },
  dependency_missing: {
    severity: 'warning',
    message: 'Something that the skill depends on is not installed.',
  },
  not_on_disk: {
    severity: 'warning',
    message: 'The skill does not lie in the workspace, so it has no read path.',
  },
  file_too_large: { severity: 'warning', message: 'The file is too large to stand in the answer.' },
  // Requests
  request_invalid: { severity: 'error', message: 'The field of the request is not valid.' },
  // Configuration
  option_invalid: { severity: 'error', message: 'The option is not valid.' },
  environment_unknown: { severity: 'warning', message: 'The environment variable is not known.' },
} as const satisfies Record<string, FindingKind>;

export type FindingCode = keyof typeof FINDINGS;
