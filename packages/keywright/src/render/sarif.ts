/* Findings as SARIF 2.1.0, which code hosts and editors show at the line they point at. */

/** What is needed of a finding; those of check, doctor and audit all have it. */
export interface SarifFinding {
  readonly code: string
  readonly severity: "error" | "warning" | "note"
  readonly message: string
  readonly why?: string
  readonly fix?: string
  readonly at?: { readonly file: string; readonly line: number }
}

export function sarif(findings: readonly SarifFinding[], version: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))]
  const rules = codes.map((code) => findings.find((finding) => finding.code === code)!)
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "keywright",
            version,
            rules: rules.map(({ code, why, fix }) => ({
              id: code,
              shortDescription: { text: why ?? code },
              ...(fix !== undefined && { help: { text: fix } }),
            })),
          },
        },
        results: findings.map(({ code, severity, message, at }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: severity,
          message: { text: message },
          ...(at && {
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: at.file.split("\\").join("/") },
                  region: { startLine: at.line },
                },
              },
            ],
          }),
        })),
      },
    ],
  }
}
