import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A skill's row: its current version and what people decided about it. */
@Entity('skills')
export class SkillEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  layer: string;

  /** Unique in its layer among skills that are not deleted. */
  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('integer')
  version: number;

  @Column('text')
  digest: string;

  @Column('boolean', { name: 'is_system' })
  isSystem: boolean;

  /** `active` or `archived`. */
  @Column('text')
  status: string;

  @Column('boolean')
  enabled: boolean;

  @Column('jsonb', { name: 'disabled_by', nullable: true })
  disabledBy: object | null;

  @Column('text')
  visibility: string;

  @Column('text')
  owner: string;

  @Column('text', { array: true })
  tags: string[];

  @Column('text', { name: 'file_path' })
  filePath: string;

  /** SHA-256 of SKILL.md alone. */
  @Column('text', { name: 'file_hash', nullable: true })
  fileHash: string | null;

  @Column('jsonb')
  frontmatter: object;

  /** `{"missing": ["pip:openpyxl"]}` */
  @Column('jsonb')
  deps: object;

  @Column('real', { array: true, nullable: true })
  embedding: number[] | null;

  @Column('text', { name: 'embedding_model', nullable: true })
  embeddingModel: string | null;

  @Column('jsonb')
  findings: object[];

  @Column('text')
  origin: string;

  @Column('jsonb', { nullable: true })
  provenance: object | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Of the last change of this row. */
  @Column('bigint')
  revision: string;
}
