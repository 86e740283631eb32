import { counted, type OwnDataKind } from '../../own-data.ts'
import type { KeyValuesStore } from './key-values-store.ts'
import type { LlmUsageStore } from './llm-usage-store.ts'

/** Values can be half a megabyte each. */
const valuesReadAtOnce = 4

interface OwnSparkDataDeps {
  readonly keyValues: Pick<KeyValuesStore, 'listAll' | 'count' | 'read'>
  readonly llmUsage: Pick<LlmUsageStore, 'list'>
}

/** For the export of an account: its data in the platform runtime. */
export function ownSparkData({ keyValues, llmUsage }: OwnSparkDataDeps): readonly OwnDataKind[] {
  return [
    {
      kind: 'keyValues',
      count: keyValues.count,
      text: (count) => counted(count, 'stored value', 'stored values'),
      read: async function* (userKey) {
        const ids = await keyValues.listAll(userKey)
        for (let from = 0; from < ids.length; from += valuesReadAtOnce) {
          const page = ids.slice(from, from + valuesReadAtOnce)
          const values = await keyValues.read(page)
          for (const [at, { collection, key }] of page.entries()) {
            const value = values[at]
            // Deleted meanwhile.
            if (value == null) continue
            // A value is JSON already, and may be large and deep.
            yield `${JSON.stringify({ collection, key }).slice(0, -1)},"value":${value}}`
          }
        }
      },
    },
    {
      kind: 'languageModelUse',
      count: async (userKey) => (await llmUsage.list(userKey)).length,
      text: (count) => counted(count, 'day', 'days') + ' of language model use',
      read: async function* (userKey) {
        for (const usage of await llmUsage.list(userKey)) yield JSON.stringify(usage)
      },
    },
  ]
}
