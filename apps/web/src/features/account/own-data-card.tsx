import { exportOwnData, getOwnData } from '@astropelago/contract/own-data'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useMutation, type UseQueryResult } from '@tanstack/react-query'
import Download from 'virtual:icon/download'
import { call } from '../../lib/call.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { accountFailure } from './account-failure.ts'

type OwnData = AnswerBody<typeof getOwnData>

export const ownDataQuery = queryOptions({
  queryKey: ['own-data'],
  queryFn: ({ signal }) => call(getOwnData, { signal }),
})

export function OwnDataCard({ query }: { query: UseQueryResult<OwnData> }) {
  const { username, isDemo } = useUser()
  const exporting = useMutation({
    mutationFn: () => call(exportOwnData),
    onSuccess: (data) =>
      saveFile(
        `astropelago-${username}-${data.exportedAt.slice(0, 10)}.json`,
        `${JSON.stringify(data, null, 2)}\n`,
        'application/json',
      ),
    gcTime: 0,
  })
  return (
    <Card title={t`Your data`} description={t`What this server stores about you.`}>
      {query.data && <OwnDataList data={query.data} />}
      <ListFailure query={query} of="data" />
      {!isDemo && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="outline"
            size="sm"
            busy={exporting.isPending}
            busyLabel={t`Preparing…`}
            onClick={() => exporting.mutate()}
          >
            <Download aria-hidden />
            <Trans>Download as JSON</Trans>
          </Button>
          <p className="text-xs text-muted">
            <Trans>Everything but passwords and tokens.</Trans>
          </p>
        </div>
      )}
      <FormError>{exporting.isError ? accountFailure(exporting.error) : undefined}</FormError>
    </Card>
  )
}

/** The account's data in the server's words. Empty kinds are left out. */
export function OwnDataList({ data }: { data: OwnData }) {
  return (
    <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm marker:text-faint">
      {data
        .filter(({ count }) => count > 0)
        .map(({ kind, text }) => (
          <li key={kind}>{text}</li>
        ))}
    </ul>
  )
}
