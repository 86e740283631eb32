import type { OwnIsland } from '@astropelago/contract/islands'
import { portAdmissionHours } from '@astropelago/contract/limits'
import { giveBackIslandPort, takeIslandPort } from '@astropelago/contract/relay-ports'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import { islandPortQuery } from '../../../islands/island-queries.ts'
import { PortAddress, PortBlockedNote } from '../../../islands/port-address.tsx'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { paths } from '../../../paths.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** The port that an island can have for games, if its server offers any. */
export function PortCard({ island: { id, access } }: { island: Pick<OwnIsland, 'id' | 'access'> }) {
  const { data: port } = useQuery(islandPortQuery(id))
  // The focused button is gone after the change.
  const card = useRef<HTMLElement>(null)
  const { taking, givingBack } = usePortChanges(id, () => card.current?.focus())
  // Without a response it is unknown whether the server offers ports.
  if (port?.own?.isOffered !== true) return null
  const { address, own } = port
  return (
    <Card
      ref={card}
      tabIndex={-1}
      title={t`Games and other programs`}
      description={t`With its own port, an island can host games and other programs that are not web pages.`}
    >
      {address === null ? (
        <>
          <p className="text-sm text-muted">
            <Trans>
              Your island has no port yet. A port is an address with a number, which you give to
              your players. It stays yours until you give it back.
            </Trans>
          </p>
          <div>
            <Button size="sm" busy={taking.isPending} onClick={() => taking.mutate()}>
              {taking.isPending ? t`Asking…` : t`Get a port`}
            </Button>
          </div>
        </>
      ) : (
        <>
          <PortAddress address={address} />
          {!own.isListening && <PortBlockedNote />}
          <p className="text-sm text-muted">{whoComesIn[access]}</p>
          <p className="text-sm text-muted">
            <Trans>
              It leads to your game on your device. You set the port of the game in{' '}
              <Link
                to={paths.connectHosting(undefined, id)}
                className="text-accent underline underline-offset-4"
              >
                the block to paste
              </Link>
              , or with{' '}
              <code className="font-mono wrap-anywhere text-ink">--tcp localhost:25565</code> if you
              start the agent yourself.
            </Trans>
          </p>
          <div className="flex flex-wrap gap-3">
            <AskFirst
              label={t`Give it back`}
              name={t`Give the port back`}
              keep={t`Keep it`}
              confirm={t`Give it back`}
              busy={givingBack.isPending}
              onConfirm={() => givingBack.mutate()}
            >
              <Trans>
                Everybody who is connected is cut off. You can get the same port again within a day.
                After that, another island may get it.
              </Trans>
            </AskFirst>
          </div>
        </>
      )}
      <FormError>{failureText(taking.error ?? givingBack.error)}</FormError>
    </Card>
  )
}

const whoComesIn: Readonly<Record<OwnIsland['access'], string>> = {
  public: t`Everybody who has this address can connect.`,
  members: t`Everybody who is signed in can connect if they opened your island’s page from the same network in the last ${plural(portAdmissionHours, { one: '# hour', other: '# hours' })}.`,
  invited: t`People you let in can connect if they opened your island’s page from the same network in the last ${plural(portAdmissionHours, { one: '# hour', other: '# hours' })}.`,
}

function usePortChanges(id: string, onChanged: () => void) {
  const client = useQueryClient()
  const showToast = useToast()
  const { queryKey } = islandPortQuery(id)
  const taking = useMutation({
    mutationFn: () => call(takeIslandPort, { params: { id } }),
    onSuccess: async (port) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, port)
      onChanged()
      showToast({ title: t`Your island has a port` })
    },
  })
  const givingBack = useMutation({
    mutationFn: () => call(giveBackIslandPort, { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey })
      onChanged()
      showToast({ title: t`The port is given back` })
    },
  })
  return { taking, givingBack }
}
