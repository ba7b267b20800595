import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the database knows of a workflow: the preset that it is bound to. Its steps lie in the workspace. */
@Entity('workflows')
export class WorkflowEntity {
  /** Folder below `workflows/`. */
  @PrimaryColumn('text')
  id: string;

  @Column('uuid', { name: 'preset_id', nullable: true })
  presetId: string | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
