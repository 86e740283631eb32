import { importDevices, type ImportReport } from '@astropelago/contract/devices-csv'
import type { Precision } from '@astropelago/contract/place'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'

/** Asks what a file would do. */
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

/** Does what a file says. */
export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ text, withTokens, precision }: Import): Promise<ImportReport> =>
      call(importDevices, {
        query: { tokens: withTokens ? 'true' : 'false', precision },
        body: text,
      }),
    onSuccess: () => client.invalidateQueries(ownDevicesQuery),
    // The only copy of the tokens: it does not outlive what shows it.
    gcTime: 0,
  })
}
