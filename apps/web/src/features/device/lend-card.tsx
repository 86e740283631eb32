import { type OwnLocation, setOwnLocation } from '@astropelago/contract/check-locations'
import type { OwnDevice } from '@astropelago/contract/devices'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LendCommand } from '../../devices/lend-command.tsx'
import { ownLocationsQuery } from '../../devices/lending-queries.ts'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { TextField } from '../../ui/text-field.tsx'

type LentDevice = Pick<OwnDevice, 'id'>

/** Whether a device looks at addresses for others, who is looked at, and how often. */
export function LendCard({ device }: { device: LentDevice }) {
  const query = useQuery(ownLocationsQuery)
  const location = query.data?.find((one) => one.device === device.id)
  return (
    <Card
      className="items-start [&>div]:self-stretch"
      title={t`Look at addresses for others`}
      description={t`This device can tell others here whether their websites and ports can be reached from where it is.`}
    >
      {query.isSuccess &&
        (location?.isLending === true ? (
          <Lending device={device} location={location} />
        ) : (
          <Consent device={device} region={location?.region ?? ''} />
        ))}
      {location !== undefined && <CheckedPlaces checked={location.checked} />}
      <ListFailure query={query} of="looks" />
    </Card>
  )
}

function useSetLocation({ id }: LentDevice) {
  const client = useQueryClient()
  return async (body: { isLending: boolean; region: string | null }) => {
    await call(setOwnLocation, { params: { device: id }, body })
    await client.invalidateQueries({ queryKey: queryKeys.ownLocations })
  }
}

function Consent({ device, region }: { device: LentDevice; region: string }) {
  const form = useApiForm({
    values: { region },
    read: (values) =>
      readBy(setOwnLocation.body, { isLending: true, region: values.region.trim() || null }),
    send: useSetLocation(device),
    onlyField: 'region',
  })
  return (
    <form {...form.wiring} className="flex w-full min-w-0 flex-col gap-4">
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm text-muted">
        <li className="font-medium text-ink">
          <Trans>Owners of checked addresses see your IP address.</Trans>
        </li>
        <li>
          <Trans>If the device is public, the globe shows which checks it looks at.</Trans>
        </li>
        <li>
          <Trans>It only looks at addresses whose owners have proven them.</Trans>
        </li>
        <li>
          <Trans>It never looks at your own network, and sends nothing of yours.</Trans>
        </li>
        <li>
          <Trans>You see here whom it looks at, and can stop it at any time.</Trans>
        </li>
      </ul>
      <TextField
        label={t`Region that others see`}
        hint={t`Such as a city or a country.`}
        optional
        {...form.text('region')}
      />
      <FormActions form={form} submit={t`Agree and lend it`} size="sm" />
    </form>
  )
}

function Lending({ device, location }: { device: LentDevice; location: OwnLocation }) {
  const { perHour, region } = location
  const setLocation = useSetLocation(device)
  const stopping = useMutation({ mutationFn: () => setLocation({ isLending: false, region }) })
  return (
    <>
      <p className="text-sm text-ink">
        {perHour === null
          ? t`You agreed, but no agent on this device is connected for it.`
          : plural(perHour, {
              one: 'It is connected, and looks at most once an hour.',
              other: 'It is connected, and looks at most # times an hour.',
            })}{' '}
        {region === null ? t`Others see no region.` : t`Others see the region ${region}.`}
      </p>
      {perHour === null && <LendCommand device={device} />}
      <Button
        variant="outline"
        size="sm"
        busy={stopping.isPending}
        onClick={() => stopping.mutate()}
      >
        <Trans>Stop looking</Trans>
      </Button>
      <FormError>{stopping.isError ? failureText(stopping.error) : undefined}</FormError>
    </>
  )
}

function CheckedPlaces({ checked }: Pick<OwnLocation, 'checked'>) {
  if (checked.length === 0) {
    return (
      <p className="text-sm text-muted">
        <Trans>It has looked at nothing in the last 24 hours.</Trans>
      </p>
    )
  }
  return (
    <Table
      caption={t`What it looked at in the last 24 hours`}
      columns={[{ name: t`Address` }, { name: t`Looks`, numeric: true }]}
    >
      {checked.map(({ place, count }) => (
        <TableRow key={place}>
          <TableCell className="wrap-anywhere">{place}</TableCell>
          <TableCell numeric>{count}</TableCell>
        </TableRow>
      ))}
    </Table>
  )
}
