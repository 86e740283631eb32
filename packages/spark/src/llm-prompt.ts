/** The text of a template as it is written: spark.llmPrompt`Sum up ${text}`. What is missing is empty. */
export function llmPrompt(strings: readonly string[], ...values: readonly unknown[]): string {
  return strings.map((text, i) => text + textOf(values[i])).join('')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  // A model can read JSON; '[object Object]' tells it nothing.
  return JSON.stringify(value) ?? ''
}
