import { importDevices, type ImportReport } from '@astropelago/contract/devices-csv'
import type { Precision } from '@astropelago/contract/place'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'

/** Asks the server what importing a file would do. */
export function useDryRun() {
  return useMutation({
    mutationFn: (text: string): Promise<ImportReport> =>
      call(importDevices, { query: { dryRun: 'true' }, body: text }),
  })
}

interface Import {
  readonly text: string
  readonly withTokens: boolean
  readonly precision: Precision
}

/** Imports a file. */
export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ text, withTokens, precision }: Import): Promise<ImportReport> =>
      call(importDevices, {
        query: { tokens: withTokens ? 'true' : 'false', precision },
        body: text,
      }),
    onSuccess: () => client.invalidateQueries(ownDevicesQuery),
    // This is the only copy of the tokens. It is dropped together with the component that shows it.
    gcTime: 0,
  })
}
