import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { finding, type Finding } from '../kernel/finding.js';
import { type FindingCode } from '../kernel/finding-codes.js';
import { readManifest } from '../skills/discovery/skill-folder.service.js';
import { type FoundSkill } from '../skills/discovery/found-skill.js';
import { walkLocation } from '../skills/discovery/location-walk.service.js';
import { skillFileAmong } from '../skills/discovery/not-part.js';
import { type SkillLocation } from '../skills/discovery/skill-entry.js';
import { SkillProbe } from '../skills/discovery/skill-probe.service.js';
import { parseSkill } from '../skills/format/parse-skill.js';
import { validateSkill } from '../skills/format/validate-skill.js';
import { type FileRefusal, type RefusalReason } from '../workspace/file-facts.js';
import { runSliced, type Sliced } from '../workspace/time-slices.js';
import { type WorkspaceFiles } from '../workspace/workspace-files.adapter.js';
import {
  type ArchivePlace,
  isArchiveName,
  type ValidatedSkill,
  type ValidationReport,
  type ValidationRequest,
} from './validation-report.js';

/** A person names the place, so it may lie deeper than the service would look. */
const DEPTH = 32;

const REFUSALS: Readonly<Record<RefusalReason, FindingCode>> = {
  missing: 'file_unreadable',
  unreadable: 'file_unreadable',
  link: 'link_refused',
  outside: 'link_refused',
  hard_link: 'file_not_regular',
  not_regular: 'file_not_regular',
  too_large: 'skill_md_too_large',
};

/**
 * Judges files, skill folders and folders of skills as the service would, and says more: whole documents, every
 * file of a skill, and on request the open specification to the letter. Nothing on disk makes it throw.
 *
 * @example await validatePaths({ paths: ['skills'], cwd, strict: false, limits, maxFolders: 50_000 }, files)
 */
export async function validatePaths(
  request: ValidationRequest,
  files: WorkspaceFiles,
): Promise<ValidationReport> {
  const places = new PathValidation(request, files);
  const report = await runSliced(places.run());
  if (places.archives.length === 0) return report;
  const { validateArchives } = await import('./validate-archives.service.js');
  const { skills, findings } = await validateArchives(places.archives, request, files);
  return {
    skills: sortByPath([...report.skills, ...skills]),
    findings: [...report.findings, ...findings],
  };
}

function sortByPath(skills: readonly ValidatedSkill[]): ValidatedSkill[] {
  return [...skills].sort((a, b) => (a.path < b.path ? -1 : 1));
}

class PathValidation {
  private readonly skills = new Map<string, ValidatedSkill>();
  private readonly findings: Finding[] = [];
  /** Found on the way, and read afterwards: reading them waits. */
  readonly archives: ArchivePlace[] = [];

  constructor(
    private readonly request: ValidationRequest,
    private readonly files: WorkspaceFiles,
  ) {}

  *run(): Sliced<ValidationReport> {
    for (const path of this.request.paths) yield* this.look(path);
    return { skills: sortByPath([...this.skills.values()]), findings: this.findings };
  }

  private *look(path: string): Sliced<undefined> {
    const absolute = resolve(this.request.cwd, path);
    // An empty argument comes from an unset variable; it does not mean the current folder.
    const target = path === '' ? null : this.files.resolve(absolute);
    if (target === null) {
      const dangling = this.files.kind(absolute) === 'link';
      this.refuse(path, dangling ? 'The link points nowhere.' : 'There is no such file or folder.');
    } else if (target.kind === 'file' && isArchiveName(path)) {
      this.archives.push({ path: this.shown(absolute, path), real: target.path });
    } else if (target.kind === 'file') {
      this.judgeFile(path, target.path);
    } else if (target.kind === 'folder') {
      yield* this.lookIntoFolder(path, target.path);
    } else {
      this.refuse(path, 'The path is neither a file nor a folder.');
    }
  }

  /** A file of any name, read as a SKILL.md. */
  private judgeFile(path: string, real: string): void {
    const { limits, cwd } = this.request;
    const inFolder = skillFileAmong([basename(real)]) !== null;
    const folderName = inFolder ? basename(dirname(resolve(cwd, path))) : undefined;
    const read = this.files.read(real, { within: [dirname(real)], maxBytes: limits.skillMdBytes });
    const shown = this.shown(resolve(cwd, path), path);
    this.add(
      real,
      read.kind === 'refused'
        ? { path: shown, name: null, findings: [refusalFinding(read, shown)] }
        : { path: shown, ...this.judge(read.bytes, shown, folderName) },
    );
  }

  private *lookIntoFolder(path: string, real: string): Sliced<undefined> {
    const { limits, maxFolders, cwd } = this.request;
    const absolute = resolve(cwd, path);
    const itself = this.location(dirname(absolute), 1);
    const probe = new SkillProbe(this.files, itself, 'slug', limits, Date.now());
    const result = probe.probe(basename(absolute), real, real, undefined);
    if (result.kind === 'skill') {
      yield* this.judgeFound(result.found, path);
      return;
    }
    if (result.kind === 'bad_slug') {
      this.findings.push(
        finding('slug_invalid', { path: this.shown(absolute, path), hint: `rename it: ${result.because}` }),
      );
      return;
    }
    const scan = yield* walkLocation({
      files: this.files,
      location: this.location(absolute, DEPTH),
      realDir: real,
      roots: [real],
      identity: 'slug',
      limits,
      maxFolders,
      now: Date.now(),
      previous: undefined,
    });
    for (const found of scan.skills.values()) yield* this.judgeFound(found, path);
    this.addWalkFindings(scan.findings, [...scan.skills.keys()], path);
  }

  /**
   * Where skills lie right below the path, a folder without one is remarkable; above that (a repository, say)
   * most folders have none. A path without any skill at all was not meant.
   */
  private addWalkFindings(found: readonly Finding[], skills: readonly string[], path: string): void {
    const isSkillsRoot = skills.some((folder) => !folder.includes('/'));
    for (const one of found) {
      if (one.code === 'skill_md_missing' && !isSkillsRoot) continue;
      this.findings.push(this.placed(one, path));
    }
    if (skills.length === 0) {
      const shown = this.shown(resolve(this.request.cwd, path), path);
      const message = 'There is no SKILL.md in the folder or below it.';
      this.findings.push(finding('skill_md_missing', { severity: 'error', path: shown, message }));
    }
  }

  private *judgeFound({ entry, stamp }: FoundSkill, path: string): Sliced<undefined> {
    const { limits } = this.request;
    const dir = entry.dir ?? '';
    const file = join(dir, entry.fileName);
    const shown = this.shown(entry.filePath, path);
    const known = entry.findings.map((one) => this.placed(one, path));
    const read =
      stamp === null
        ? null
        : this.files.read(file, { within: [dir], maxBytes: limits.skillMdBytes, links: 'follow' });
    if (read?.kind !== 'ok') {
      this.add(file, { path: shown, name: null, findings: known });
      return;
    }
    const judged = this.judge(read.bytes, shown, entry.folderName);
    const manifest = yield* readManifest(this.files, { dir, sharedDir: null, trusted: false }, limits);
    const inside = manifest.findings.map((one) => ({
      ...one,
      path: this.shown(join(dirname(entry.filePath), one.path ?? ''), path),
    }));
    const added = [...known, ...inside].filter((one) => !judged.findings.some((other) => isSame(one, other)));
    this.add(file, { path: shown, name: judged.name, findings: [...judged.findings, ...added] });
  }

  private judge(bytes: Buffer, path: string, folderName: string | undefined) {
    const { limits, strict } = this.request;
    const named = folderName === undefined ? {} : { folderName };
    const document = parseSkill(bytes, { ...named, path, limits });
    const findings = validateSkill(document, { ...named, strict });
    return { name: document.frontmatter.name, findings: findings.map((one) => ({ path, ...one })) };
  }

  private add(file: string, skill: Omit<ValidatedSkill, 'valid'>): void {
    const valid = !skill.findings.some(({ severity }) => severity === 'error');
    if (!this.skills.has(file)) this.skills.set(file, { ...skill, valid });
  }

  private refuse(path: string, message: string): void {
    const shown = this.shown(resolve(this.request.cwd, path), path);
    this.findings.push(finding('file_unreadable', { path: shown, message }));
  }

  private location(dir: string, depth: number): SkillLocation {
    return { dir, label: 'path', layer: `path:${dir}`, depth, shownAs: dir };
  }

  private placed(one: Finding, path: string): Finding {
    return one.path === undefined ? one : { ...one, path: this.shown(one.path, path) };
  }

  /** Absolute when the person wrote an absolute path, else from where the person stands. */
  private shown(absolute: string, written: string): string {
    return isAbsolute(written) ? absolute : relative(this.request.cwd, absolute) || '.';
  }
}

function refusalFinding({ reason, because }: FileRefusal, path: string): Finding {
  const message = `The file was not read: ${because}.`;
  return finding(REFUSALS[reason], { severity: 'error', path, message });
}

function isSame(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.path === b.path && a.line === b.line && a.field === b.field;
}
