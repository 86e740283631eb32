import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

interface FileImport<Chosen, Report, Choices> {
  readonly maxBytes: number
  readonly read: (file: File) => Promise<Chosen>
  /** Says what the file would do. */
  readonly dryRun: (chosen: Chosen) => Promise<Report>
  readonly run: (chosen: Chosen, choices: Choices) => Promise<Report>
  /** What the import changes. */
  readonly changes: { readonly queryKey: readonly unknown[] }
  readonly failureOf: (error: unknown) => string | undefined
}

/** A file that is chosen, tried and then imported. */
export function useFileImport<Chosen, Report, Choices = void>({
  maxBytes,
  read,
  dryRun,
  run,
  changes,
  failureOf,
}: FileImport<Chosen, Report, Choices>) {
  const [file, setFile] = useState<Chosen>()
  const [isTooLarge, setIsTooLarge] = useState(false)
  const client = useQueryClient()
  const trying = useMutation({ mutationFn: dryRun })
  const importing = useMutation({
    mutationFn: ([chosen, choices]: readonly [Chosen, Choices]) => run(chosen, choices),
    onSuccess: () => client.invalidateQueries({ queryKey: changes.queryKey }),
    // Its answer may hold the only copy of tokens. It is dropped together with the component that shows it.
    gcTime: 0,
  })
  const choose = async (chosen: File) => {
    setFile(undefined)
    importing.reset()
    trying.reset()
    setIsTooLarge(chosen.size > maxBytes)
    if (chosen.size > maxBytes) return
    const next = await read(chosen)
    setFile(next)
    trying.mutate(next)
  }
  return {
    isTooLarge,
    choose: (chosen: File) => void choose(chosen),
    isReading: trying.isPending,
    readFailure: trying.isError ? failureOf(trying.error) : undefined,
    /** What the file would do; undefined until that is known. */
    tried:
      file === undefined || trying.data === undefined ? undefined : { file, report: trying.data },
    isImporting: importing.isPending,
    importFailure: importing.isError ? failureOf(importing.error) : undefined,
    imported: importing.data,
    run: (chosen: Chosen, choices: Choices) => importing.mutate([chosen, choices]),
  }
}
