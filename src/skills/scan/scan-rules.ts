import { type FindingCode } from '../../kernel/finding-codes.js';

/** What kind of text a line stands in: instructions that a model reads, or a program that a machine runs. */
export type Place = 'prose' | 'code';

/**
 * One pattern that is looked for line by line. A match is a remark and never a refusal: people and models write
 * about such things for good reasons.
 */
export interface ScanRule {
  readonly code: FindingCode;
  readonly places: readonly Place[];
  /** Text that the line must hold in small letters before the pattern is tried. */
  readonly hints: readonly string[];
  /** Without backtracking over the line: no nested or neighbouring repetitions of the same characters. */
  readonly pattern: RegExp;
}

const BOTH: readonly Place[] = ['prose', 'code'];
const CODE: readonly Place[] = ['code'];

export const SCAN_RULES: readonly ScanRule[] = [
  {
    code: 'scan_piped_download',
    places: BOTH,
    hints: ['curl', 'wget', 'iwr', 'invoke-webrequest', 'downloadstring'],
    pattern:
      /\b(?:curl|wget)\b[^|;\n]{0,300}\|\s{0,9}(?:sudo\s{1,9})?(?:env\s{1,9})?(?:ba|z|da|k)?sh\b|\b(?:curl|wget)\b[^|;\n]{0,300}\|\s{0,9}(?:sudo\s{1,9})?(?:python3?|node|perl|ruby)\b|(?:ba|z)?sh\s{1,9}(?:-c\s{1,9})?["']?(?:<\(|\$\()\s{0,9}(?:curl|wget)\b|\b(?:iwr|invoke-webrequest)\b[^|\n]{0,300}\|\s{0,9}(?:iex|invoke-expression)\b|\biex\b[^\n]{0,100}downloadstring/i,
  },
  {
    code: 'scan_destructive_command',
    places: BOTH,
    hints: ['rm ', 'mkfs', 'dd ', ':(){', 'rmtree', 'format-volume'],
    pattern:
      /\brm\s{1,9}-[a-z]{0,9}(?:r[a-z]{0,9}f|f[a-z]{0,9}r)[a-z]{0,9}\s{1,9}(?:--no-preserve-root\s{1,9})?["']?(?:\/|~|\$HOME)["']?(?:\s|\*|\/\*|;|&|$)|\bmkfs(?:\.[a-z0-9]{1,9})?\s{1,9}\/dev\/|\bdd\s[^\n]{0,100}\bof=\/dev\/(?:sd|nvme|hd|disk)|:\(\)\s{0,3}\{\s{0,3}:\s{0,3}\|\s{0,3}:/i,
  },
  {
    code: 'scan_reverse_shell',
    places: BOTH,
    hints: ['/dev/tcp/', 'nc ', 'ncat', 'mkfifo', 'pty.spawn'],
    pattern:
      /\/dev\/tcp\/[^\s/]{1,200}\/\d{1,5}|\bn(?:c|cat)\b[^\n|]{0,100}\s-[a-z]{0,5}e[a-z]{0,5}\s{1,9}\/?[a-z/]{0,20}sh\b|\bmkfifo\b[^\n]{0,200}\bnc\b|pty\.spawn\(\s{0,9}["']\/?[a-z/]{0,20}sh/i,
  },
  {
    code: 'scan_decoded_command',
    places: BOTH,
    hints: ['base64', 'b64decode', 'atob(', 'fromhex', 'unhexlify'],
    pattern:
      /\bbase64\s{1,9}(?:-d|-D|--decode)\b[^\n|]{0,200}\|\s{0,9}(?:sudo\s{1,9})?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby)\b|\b(?:exec|eval)\s{0,3}\([^\n]{0,200}(?:b64decode|atob\(|fromhex|unhexlify)/i,
  },
  {
    code: 'scan_persistence',
    places: CODE,
    hints: ['crontab', 'authorized_keys', '.bashrc', '.zshrc', '.profile', 'launchagents', 'systemctl'],
    pattern:
      />>?\s{0,9}["']?[^\s"']{0,200}(?:authorized_keys|\.bashrc|\.zshrc|\.bash_profile|\.profile)\b|\bcrontab\s{1,9}-(?:\s|$)|\bsystemctl\s{1,9}(?:--user\s{1,9})?enable\b|Library\/LaunchAgents/i,
  },
  {
    code: 'scan_credential_access',
    places: BOTH,
    hints: [
      '.ssh/',
      '.aws/',
      '.netrc',
      '.npmrc',
      '.pypirc',
      '.kube/',
      '.docker/config',
      '/etc/shadow',
      'keychain',
      'login data',
      '169.254.169.254',
      'id_rsa',
      'id_ed25519',
      '.git-credentials',
      '.gnupg',
    ],
    pattern:
      /\.ssh\/(?:id_(?!\w{1,20}\.pub)|\*)|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.aws\/credentials|\.netrc\b|\.pypirc\b|\.git-credentials\b|\.kube\/config\b|\.docker\/config\.json|\/etc\/shadow\b|\.gnupg\/|security\s{1,9}find-(?:generic|internet)-password|169\.254\.169\.254|(?:Chrome|Firefox|Brave)[^\n]{0,80}(?:Login Data|cookies\.sqlite)/i,
  },
  {
    code: 'scan_environment_dump',
    places: CODE,
    hints: ['os.environ', 'process.env', 'printenv', '/proc/', 'env '],
    pattern:
      /\b(?:dict|str|json\.dumps)\(\s{0,5}(?:dict\(\s{0,5})?os\.environ\b|JSON\.stringify\(\s{0,5}process\.env\s{0,5}[,)]|\/proc\/(?:self|\d{1,7})\/environ|\b(?:printenv|env)\s{0,5}(?:\||>)/,
  },
  {
    code: 'scan_exfiltration_host',
    places: BOTH,
    hints: [
      'webhook.site',
      'requestbin',
      'ngrok',
      'pipedream.net',
      'burpcollaborator',
      'oast.',
      'interact.sh',
      'transfer.sh',
      'api.telegram.org/bot',
      'discord.com/api/webhooks',
    ],
    pattern:
      /\b(?:webhook\.site|requestbin\.(?:com|net)|[a-z0-9-]{1,60}\.ngrok(?:-free)?\.(?:io|app|dev)|[a-z0-9-]{1,60}\.m\.pipedream\.net|burpcollaborator\.net|oast\.(?:fun|pro|live|site|online|me)|interact\.sh|transfer\.sh|api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks)/i,
  },
  {
    code: 'scan_prompt_injection',
    places: BOTH,
    hints: [
      'ignore',
      'disregard',
      'forget',
      'do not tell',
      "don't tell",
      'never mention',
      'without telling',
      'system prompt',
    ],
    pattern:
      /\b(?:ignore|disregard|forget)\s{1,9}(?:all\s{1,9}|any\s{1,9}|the\s{1,9}|your\s{1,9}){0,3}(?:previous|prior|above|earlier|system)\s{1,9}(?:instructions?|prompts?|rules|messages?|context)|\b(?:do not|don't|never)\s{1,9}(?:tell|inform|mention\s{1,9}(?:this|it)\s{1,9}to|reveal\s{1,9}(?:this|it)\s{1,9}to|alert|notify)\s{1,9}(?:the\s{1,9})?user\b|\bwithout\s{1,9}(?:telling|informing|asking|notifying)\s{1,9}the\s{1,9}user\b|\breveal\s{1,9}(?:your|the)\s{1,9}system\s{1,9}prompt/i,
  },
  {
    code: 'scan_secret',
    places: BOTH,
    hints: ['akia', 'ghp_', 'gho_', 'github_pat_', 'xoxb-', 'xoxp-', 'sk-', 'private key', 'aiza', 'glpat-'],
    pattern:
      /\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,90}\b|\bglpat-[A-Za-z0-9_-]{20}\b|\bxox[bp]-[0-9A-Za-z-]{20,80}\b|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,120}\b|\bAIza[0-9A-Za-z_-]{35}\b|-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----/,
  },
];

/** Whether a line of a program sends something over a network. */
export const NETWORK =
  /\b(?:curl|wget|nc|ncat|scp|ftp)\s|\brequests\.(?:get|post|put|request)\b|\burllib\.request\b|\bhttp\.client\b|\bhttpx\.|\baiohttp\b|\bsocket\.(?:socket|create_connection)\b|\bfetch\(|\baxios\b|\bhttps?\.request\(|\bXMLHttpRequest\b|\bInvoke-(?:WebRequest|RestMethod)\b/i;
