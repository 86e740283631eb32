/** Model families by the pattern of their short names, with their vendors. */
const vendors: readonly (readonly [family: RegExp, vendor: string])[] = [
  [/^gpt-4o(-mini)?$/i, 'openai'],
  [/^cohere-command-/i, 'cohere'],
  [/^meta-llama-3(\.1)?-/i, 'meta'],
  [/^(mistral|ministral)-/i, 'mistral-ai'],
  [/^(ai21-)?jamba-/i, 'ai21-labs'],
  [/^phi-3(\.5)?-/i, 'microsoft'],
]

/**
 * A model's full name, such as `openai/gpt-4o` for `gpt-4o`. Unknown names and names with a vendor are
 * returned unchanged.
 */
export function fullModelName(name: string): string {
  const vendor = vendors.find(([family]) => family.test(name))?.[1]
  return vendor === undefined ? name : `${vendor}/${name}`
}
