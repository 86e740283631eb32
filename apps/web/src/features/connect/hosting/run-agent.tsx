import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import CircleCheck from 'virtual:icon/circle-check'
import KeyRound from 'virtual:icon/key-round'
import { call } from '../../../lib/call.ts'
import { islandPortQuery } from '../../../lib/islands/island-port-query.ts'
import { publicUrl } from '../../../lib/public-url.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { relayGuides } from '../../devices/relay-commands/relay-guides.ts'
import { SystemGuides } from '../../devices/system-guides.tsx'
import { useFieldNotes } from '../../devices/use-field-notes.ts'
import type { MadeToken } from '../connect-progress.ts'
import { tokenFailure } from '../failure-texts.ts'
import { ShownToken } from '../generate-token.tsx'
import { ServiceFields } from './service-fields.tsx'
import {
  fieldTrouble,
  readService,
  readTcp,
  type TypedField,
  usualService,
} from './typed-service.ts'

/** Which agent the server gives out: the block checks what it fetched by its hash. */
const agentQuery = queryOptions({
  queryKey: ['relay-agent'],
  queryFn: ({ signal }) => call(getRelayAgent, { signal }),
})

interface RunAgentProps {
  device: OwnDevice
  /** One that it carries. */
  island: Pick<OwnIsland, 'id'>
  token: string | undefined
  onToken: (made: MadeToken) => void
  /** Whether an agent of the device is there. */
  isConnected: boolean
}

/** The third step of hosting: what is hosted, a token for it, and the one block to paste. */
export function RunAgent({ device, island, token, onToken, isConnected }: RunAgentProps) {
  const [typed, setTyped] = useState(usualService)
  const [lastSound, setLastSound] = useState(usualService)
  const troubles = useFieldNotes<TypedField>(typed, fieldTrouble)
  const { data: port } = useQuery(islandPortQuery(island.id))
  const hasPort = port !== undefined && port.address !== null
  const isSound =
    fieldTrouble(typed.kind, typed[typed.kind]) === undefined &&
    !(hasPort && fieldTrouble('tcp', typed.tcp) !== undefined)
  // Amid retyping, so that the way that was chosen stays so.
  const hosted = isSound ? typed : lastSound
  const agent = useQuery(agentQuery)
  const generating = useMutation({
    mutationFn: () => call(createDeviceToken, { body: { deviceId: device.id, scope: 'relay' } }),
    onSuccess: onToken,
  })
  const submitLabel = token === undefined ? 'Generate token' : 'Generate another token'
  return (
    <>
      {isConnected && (
        <p className="flex items-start gap-2.5 rounded-control bg-raised px-3.5 py-2.5 text-sm">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span>
            The agent is connected. To change what it hosts, paste another block on the device: it
            replaces the one that this island’s last block started there.
          </span>
        </p>
      )}
      <ServiceFields
        typed={typed}
        troubleFor={troubles.noteFor}
        hasPort={hasPort}
        onType={(next) => {
          troubles.follow(next)
          setLastSound(hosted)
          setTyped(next)
        }}
        onLeave={(field) => void troubles.leave(field)}
      />
      <p className="text-sm text-muted">
        The agent needs a token of its own, which lets visitors in to{' '}
        <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi>: one that only
        reports can’t. You can revoke it on the{' '}
        <Link to={paths.account()} className="text-accent underline underline-offset-4">
          Account
        </Link>{' '}
        page.
      </p>
      {token !== undefined && <ShownToken token={token} />}
      <div className="flex min-w-0 flex-col items-start gap-4">
        <Button
          variant={token === undefined ? 'default' : 'outline'}
          busy={generating.isPending}
          onClick={() => generating.mutate()}
        >
          {!generating.isPending && <KeyRound aria-hidden />}
          {generating.isPending ? 'Generating…' : submitLabel}
        </Button>
        <FormError>
          {generating.error === null ? undefined : tokenFailure(generating.error)}
        </FormError>
      </div>
      {agent.isError && (
        <ErrorLine busy={agent.isFetching} onRetry={() => void agent.refetch()}>
          What the block needs could not be loaded.
        </ErrorLine>
      )}
      {token !== undefined && agent.data && (
        <div hidden={!isSound} className="flex min-w-0 flex-col gap-4">
          <p className="text-sm text-muted">
            Paste this into a terminal on the device. It needs Node, and says so where that is
            missing or too old. The agent then runs on by itself, also after a restart.
          </p>
          <SystemGuides
            label="Ways to run the agent"
            guides={relayGuides({
              publicUrl: publicUrl(),
              token,
              islandId: island.id,
              sha256: agent.data.sha256,
              service: readService(hosted),
              tcp: hasPort ? readTcp(hosted) : undefined,
            })}
          />
        </div>
      )}
    </>
  )
}
