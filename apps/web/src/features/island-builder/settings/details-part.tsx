import { LinkButton } from '../../../lib/link-button.tsx'
import type { IslandChanges, OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { RelayedStatus } from '../../../islands/relayed-status.tsx'
import type { Reading } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { paths } from '../../../paths.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { AboutFields } from '../details/about-fields.tsx'
import {
  draftOf,
  type IslandDraft,
  type IslandForm,
  readAbout,
  readPlace,
  remarkOn,
} from '../details/island-draft.ts'
import { PlaceFields } from '../details/place-fields.tsx'
import { DomainCard } from './domain-card.tsx'
import { PortCard } from './port-card.tsx'

export function DetailsPart({ island }: { island: OwnIsland }) {
  return (
    <>
      {island.isRelayed && <RelayCard key={island.relayAddress} island={island} />}
      <ChangesCard
        island={island}
        title={t`Details`}
        saved={t`Details saved`}
        description={t`What visitors read on its page and on its card.`}
        read={readAbout}
      >
        {(form) => <AboutFields form={form} />}
      </ChangesCard>
      <ChangesCard
        island={island}
        title={t`Entrance`}
        saved={t`Entrance saved`}
        description={t`Where the Enter button leads, and which device shows whether your island is open.`}
        read={readPlace}
      >
        {(form) => <PlaceFields form={form} slug={island.slug} isPlanned={false} />}
      </ChangesCard>
      {(island.isRelayed || island.isHosted) && <DomainCard island={island} />}
      {island.isRelayed && <PortCard island={island} />}
    </>
  )
}

function RelayCard({ island: { id, relayAddress, carrier } }: { island: OwnIsland }) {
  const device = carrier?.label
  const toConnect = paths.connectHosting(carrier?.id, id)
  return (
    <Card
      title={t`Relay`}
      description={
        device === undefined ? (
          t`It runs on no device yet. Choose one below.`
        ) : (
          <Trans>
            It runs on <bdi className="text-ink">{device}</bdi>.
          </Trans>
        )
      }
      actions={
        <LinkButton to={toConnect} variant="outline" size="sm">
          <Trans>Show the block to paste</Trans>
        </LinkButton>
      }
    >
      <RelayedStatus islandId={id} address={relayAddress} />
      {relayAddress !== null && <CodeBlock label={t`Where visitors enter`} text={relayAddress} />}
    </Card>
  )
}

interface ChangesCardProps {
  island: OwnIsland
  title: string
  saved: string
  description: string
  read: (draft: IslandDraft) => Reading<IslandChanges>
  children: (form: IslandForm) => ReactNode
}

function ChangesCard(props: ChangesCardProps) {
  const { island, title, saved, description, read, children } = props
  const { update } = useOwnIslandChanges()
  const showToast = useToast()
  const form = useApiForm({
    values: draftOf(island),
    read,
    send: (changes) => update(island.id, changes),
    onSent: () => showToast({ title: saved }),
    remarkOn,
  })
  return (
    <Card title={title} description={description}>
      <form {...form.wiring} aria-label={title} className="flex min-w-0 flex-col gap-6">
        {children(form)}
        <FormActions form={form} size="sm" submit={t`Save changes`} busy={t`Saving…`} />
      </form>
    </Card>
  )
}
