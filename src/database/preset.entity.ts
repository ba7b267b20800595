import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A preset as it is stored: what is searched stands in columns, the whole preset in `document`. */
@Entity('presets')
export class PresetEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  label: string;

  /** The preset without id and times, with keys that we do not know. */
  @Column('jsonb')
  document: object;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
