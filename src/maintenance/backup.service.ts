import { createHash, type Hash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type DatabaseService } from '../database/database.service.js';
import { renderBlob, renderEnd, renderHead, renderRow } from './backup-format.js';
import { readBlobs, readSnapshot, type SnapshotPart } from './backup.store.js';

/**
 * Everything that is stored, as the bytes of one file, while they are read: of as many as the reader takes, not more
 * are in memory. Ends with an error when the database goes away.
 */
export function streamBackup(database: DatabaseService, now: () => number = Date.now): Readable {
  const lines = new PassThrough({ highWaterMark: 1_048_576 });
  const zipped = createGzip();
  void new BackupWriter(lines, now).write(database).catch((error: unknown) => {
    lines.destroy(error as Error);
  });
  // What goes wrong reaches whoever reads.
  void pipeline(lines, zipped).catch(() => undefined);
  return zipped;
}

class BackupWriter {
  private readonly hash: Hash = createHash('sha256');
  private rows = 0;
  private blobs = 0;

  constructor(
    private readonly lines: PassThrough,
    private readonly now: () => number,
  ) {}

  async write(database: DatabaseService): Promise<void> {
    await readSnapshot(database, (part) => this.put(this.textOf(part)));
    for await (const [sha256, bytes] of readBlobs(database)) {
      this.blobs += 1;
      await this.put(`${renderBlob(sha256, bytes)}\n`);
    }
    const sha256 = this.hash.copy().digest('hex');
    await this.put(`${renderEnd({ rows: this.rows, blobs: this.blobs, sha256 })}\n`);
    this.lines.end();
  }

  private textOf(part: SnapshotPart): string {
    if (part.kind === 'head') {
      return `${renderHead({ made_at: new Date(this.now()).toISOString(), ...part.head })}\n`;
    }
    this.rows += part.rows.length;
    return part.rows.map((row) => `${renderRow(part.table, row)}\n`).join('');
  }

  /** Waits until the reader takes more. */
  private async put(text: string): Promise<void> {
    this.hash.update(text);
    if (this.lines.destroyed) throw new Error('nobody reads the backup any more');
    if (this.lines.write(text)) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        this.lines.off('drain', settle).off('close', settle);
        if (this.lines.destroyed) reject(new Error('nobody reads the backup any more'));
        else resolve();
      };
      this.lines.on('drain', settle).on('close', settle);
    });
  }
}
