/** Families of models, by how their short names begin, and the vendor that stands before them. */
const vendors: readonly (readonly [family: RegExp, vendor: string])[] = [
  [/^gpt-4o(-mini)?$/i, 'openai'],
  [/^cohere-command-/i, 'cohere'],
  [/^meta-llama-3(\.1)?-/i, 'meta'],
  [/^(mistral|ministral)-/i, 'mistral-ai'],
  [/^(ai21-)?jamba-/i, 'ai21-labs'],
  [/^phi-3(\.5)?-/i, 'microsoft'],
]

/** A model's full name, `openai/gpt-4o` for `gpt-4o`. Names with a vendor and unknown ones stay. */
export function fullModelName(name: string): string {
  const vendor = vendors.find(([family]) => family.test(name))?.[1]
  return vendor === undefined ? name : `${vendor}/${name}`
}
