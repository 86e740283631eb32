import { createCurrentUser, type SparkUser } from './current-user.ts'
import { createKeyValues, type KeyValues } from './key-values.ts'
import { llm } from './llm.ts'
import { llmPrompt } from './llm-prompt.ts'

/** The type of `window.spark`. */
export interface Spark {
  readonly llmPrompt: typeof llmPrompt
  readonly llm: typeof llm
  /** Null for a visitor. */
  readonly user: () => Promise<SparkUser | null>
  readonly kv: KeyValues
}

export function createSpark(): Spark {
  const { keys, get, set, delete: remove } = createKeyValues()
  return Object.freeze({
    llmPrompt,
    llm,
    user: createCurrentUser(),
    kv: Object.freeze({ keys, get, set, delete: remove }),
  })
}
