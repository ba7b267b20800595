/** How `validate` can write its findings. */
export const REPORT_FORMATS = ['text', 'json', 'github', 'sarif'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
