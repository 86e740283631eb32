/** The text of a template literal: spark.llmPrompt`Sum up ${text}`. Null and undefined become empty. */
export function llmPrompt(strings: readonly string[], ...values: readonly unknown[]): string {
  return strings.map((text, i) => text + textOf(values[i])).join('')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  // A model can read JSON, but not '[object Object]'.
  return JSON.stringify(value) ?? ''
}
