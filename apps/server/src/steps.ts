import { setTimeout as wait } from 'node:timers/promises'

/** A heartbeat may have to wait for a whole step. */
const rowsInStep = 250
const restMs = 10

export async function restBetweenSteps(): Promise<void> {
  await wait(restMs)
}

interface StepsOptions {
  readonly signal?: AbortSignal | undefined
  readonly rest?: (() => Promise<void>) | undefined
}

/** Repeats a step for as long as it resolves to true: there is more to do. */
export async function inSteps(
  step: () => Promise<boolean>,
  { signal, rest = restBetweenSteps }: StepsOptions = {},
): Promise<void> {
  while (await step()) {
    await rest()
    if (signal?.aborted === true) return
  }
}

/** @param deleteRows deletes at most so many rows. Both resolve to the number of deleted rows */
export async function deleteInSteps(
  deleteRows: (limit: number) => Promise<number>,
  { signal, rest, size = rowsInStep }: StepsOptions & { readonly size?: number } = {},
): Promise<number> {
  let deleted = 0
  const step = async () => {
    const count = await deleteRows(size)
    deleted += count
    return count === size
  }
  await inSteps(step, { signal, rest })
  return deleted
}
