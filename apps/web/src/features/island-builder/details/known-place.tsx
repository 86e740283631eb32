import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { Button } from '../../../ui/button.tsx'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { draftSlug, type IslandForm } from './island-draft.ts'
import { PlaceFields } from './place-fields.tsx'

interface PlaceOrKnownProps {
  form: IslandForm
  /** The id of the device that is known to carry it. */
  carrier: string | undefined
}

/**
 * Where a new island is. If a device is known to carry it, the form asks only after the user wants to
 * change that.
 */
export function PlaceOrKnown({ form, carrier }: PlaceOrKnownProps) {
  const { values: draft, problemOf } = form
  const [isChanging, setIsChanging] = useState(false)
  const { data: relay } = useQuery(relayQuery)
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: carrier !== undefined })
  const device = devices?.find(({ id }) => id === carrier)
  const isRefused = problemOf('carrier') !== undefined || problemOf('isRelayed') !== undefined
  const isKnown =
    device !== undefined && draft.way === 'relay' && draft.carrier === carrier && relay?.addresses
  if (!isKnown || isChanging || isRefused) {
    return <PlaceFields form={form} slug={draftSlug(draft)} isPlanned />
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 text-sm wrap-anywhere">
        It runs on <bdi className="font-medium">{device.label}</bdi>. The relay leads visitors
        there.
      </p>
      <Button variant="ghost" size="sm" onClick={() => setIsChanging(true)}>
        Choose another place
      </Button>
    </div>
  )
}
