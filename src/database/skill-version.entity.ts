import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One version of a skill; never changed after it was written. */
@Entity('skill_versions')
export class SkillVersionEntity {
  @PrimaryColumn('uuid', { name: 'skill_id' })
  skillId: string;

  /** Counts from 1 without gaps. */
  @PrimaryColumn('integer')
  version: number;

  @Column('text')
  digest: string;

  @Column('text', { name: 'file_hash' })
  fileHash: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('jsonb')
  frontmatter: object;

  /** Every file: path, mode, size, sha256; the bytes lie in `skill_blobs`. */
  @Column('jsonb')
  manifest: object[];

  @Column('jsonb')
  findings: object[];

  @Column('text')
  origin: string;

  @Column('jsonb', { nullable: true })
  provenance: object | null;

  @Column('jsonb')
  actor: object;

  @Column('text', { nullable: true })
  message: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
