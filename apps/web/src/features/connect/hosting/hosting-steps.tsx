import type { OwnDevice } from '@astropelago/contract/devices'
import { islandsPerUser } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { islandPortQuery } from '../../../islands/island-queries.ts'
import { ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { relayedStateQuery } from '../../../islands/relay-queries.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { openSignIn } from '../../../lib/open-sign-in.ts'
import { isFirstLoad } from '../../../lib/query-state.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { MadeToken } from '../connect-progress.ts'
import { ConnectStep } from '../connect-step.tsx'
import { HostForm, readHosting } from './host-form.tsx'
import { OpenIsland } from './open-island.tsx'
import { PasteBlock } from './paste-block.tsx'
import {
  emptyHosting,
  fieldProblem,
  hostingDraft,
  isTypedField,
  type TypedService,
  usualService,
} from './typed-service.ts'
import { aNewOne, isCarriedBy, useHostingPlace, useStartHosting } from './use-start-hosting.ts'

interface HostingStepsProps {
  query: UseQueryResult<OwnDevice[]>
  tokens: ReadonlyMap<string, MadeToken>
  onToken: (deviceId: string, made: MadeToken) => void
}

export function HostingSteps({ query, tokens, onToken }: HostingStepsProps) {
  const { isDemo } = useUser()
  const islandsQuery = useQuery(ownIslandsQuery)
  const islands = islandsQuery.data ?? []
  const { device, island, choose } = useHostingPlace(query.data ?? [], islands)
  const [place, setPlace] = useState<Place>()
  const starting = useStartHosting({
    onReached: (reached) => {
      choose(reached)
      // The island has this name now, and the next one must not get it.
      if (reached.island !== undefined) form.change({ name: '' })
    },
    onToken,
  })
  const chosen = { device, island, place }
  const form = useApiForm({
    values: emptyHosting,
    draft: hostingDraft,
    read: (typed) => readHosting(typed, chosen),
    send: starting.mutateAsync,
    remarkOn: (name, text) => (isTypedField(name) ? fieldProblem(name, text) : undefined),
    keeps: ['kind', 'address', 'folder', 'isListing', 'tcp'],
  })
  const { name: _, ...service } = form.values

  const carrier = typeof device === 'object' ? device : undefined
  const carried =
    carrier !== undefined && island !== aNewOne && isCarriedBy(carrier, island) ? island : undefined
  const carriedId = carried?.id ?? ''
  const enabled = carried !== undefined
  const { data: port } = useQuery({ ...islandPortQuery(carriedId), enabled })
  const hasPort = port !== undefined && port.address !== null
  const state = useQuery({ ...relayedStateQuery(carriedId), enabled })
  const condition = carried && state.data?.condition.state
  const isConnected = condition === 'carried' || condition === 'failing'

  const sound = isValid(service, hasPort)
  // Keeps the last valid service while the user retypes, so that the chosen kind of command stays.
  const [lastValid, setLastValid] = useState(usualService)
  if (sound && JSON.stringify(service) !== JSON.stringify(lastValid)) setLastValid(service)
  const isFull = islands.length >= islandsPerUser
  return (
    <>
      <ConnectStep number={1} title={t`Say what you host`} state={carried ? 'done' : 'open'}>
        {isDemo ? (
          <p className="text-sm text-muted">
            <Trans>Demo accounts can’t host at home. Log out and register to do so.</Trans>
          </p>
        ) : query.data === undefined || islandsQuery.data === undefined ? (
          <>
            <ListFailure query={query} of="devices" />
            <ListFailure query={islandsQuery} of="islands" />
            {isFirstLoad(islandsQuery) && <Skeleton className="h-72 w-full rounded-control" />}
          </>
        ) : (
          <>
            {isFull && island === aNewOne && (
              <p className="text-sm text-muted">
                <Trans>
                  Your account can’t host more than {islandsPerUser} islands. Choose one of them, or
                  delete one to make another.
                </Trans>
              </p>
            )}
            <HostForm
              form={form}
              devices={query.data}
              islands={islands}
              chosen={chosen}
              onChoose={(ids) => {
                starting.reset()
                choose(ids)
              }}
              onPlace={setPlace}
              hasPort={hasPort}
              isBusy={starting.isPending}
            >
              {carried === undefined && <Failure error={starting.error} />}
            </HostForm>
          </>
        )}
      </ConnectStep>
      <ConnectStep
        number={2}
        title={t`Paste one block`}
        state={carried === undefined ? 'locked' : isConnected ? 'done' : 'open'}
        locked={t`The block appears here after you say what you host.`}
      >
        {carrier && carried && (
          <>
            <PasteBlock
              key={carried.id}
              device={carrier}
              islandId={carried.id}
              service={sound ? service : lastValid}
              isValid={sound}
              hasPort={hasPort}
              token={tokens.get(carrier.id)?.token}
              isConnected={isConnected}
              isBusy={starting.isPending}
              onMake={() => starting.mutate({ device: carrier, island: carried, name: '' })}
            />
            <Failure error={starting.error} />
          </>
        )}
      </ConnectStep>
      <ConnectStep
        number={3}
        title={t`Open your island`}
        state={carried === undefined ? 'locked' : condition === 'carried' ? 'done' : 'open'}
        locked={t`Here you will see its link, and whether friends can open it.`}
        isLast
      >
        {carried && <OpenIsland island={carried} state={state} />}
      </ConnectStep>
    </>
  )
}

/** A user whose session has ended can sign in, and everything typed stays. */
function Failure({ error }: { error: unknown }) {
  const isSignedOut = error instanceof ApiError && error.code === 'signed_out'
  return (
    <>
      <FormError>{failureText(error)}</FormError>
      {isSignedOut && (
        <Button variant="outline" className="self-start" onClick={() => openSignIn()}>
          <Trans>Sign in</Trans>
        </Button>
      )}
    </>
  )
}

function isValid(service: TypedService, hasPort: boolean): boolean {
  return (
    fieldProblem(service.kind, service[service.kind]) === undefined &&
    !(hasPort && fieldProblem('tcp', service.tcp) !== undefined)
  )
}
