import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sample preset that was made once; the row outlives it, so that a deleted sample stays deleted. */
@Entity('seeded_presets')
export class SeededPresetEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', name: 'seeded_at', precision: 3 })
  seededAt: Date;
}
