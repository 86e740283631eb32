import { AccessPolicy, type OwnIsland, publishIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId } from 'react'
import * as v from 'valibot'
import DoorOpen from 'virtual:icon/door-open'
import Eye from 'virtual:icon/eye'
import EyeOff from 'virtual:icon/eye-off'
import { accessWords } from '../../../islands/island-words.ts'
import { isDraft, useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { paths } from '../../../paths.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { IconComponent } from '../../../ui/create-icon.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { isSecretSlug, wishedSlug } from '../details/slug-text.ts'
import {
  type AccessChoice,
  type Audience,
  audiences,
  audienceText,
  isKnownToAll,
} from './audiences.ts'

const PublishDraft = v.object({
  access: AccessPolicy,
  isListed: v.boolean(),
  isShared: v.fallback(v.boolean(), false),
  slug: v.string(),
})
export type PublishDraft = v.InferOutput<typeof PublishDraft>

/** The unsaved publication settings of an island, which survive a reload. */
export function publishDraft(islandId: string) {
  return keptDraft(`publish-island.${islandId}.v1`, PublishDraft)
}

interface AccessFormProps {
  island: OwnIsland
  onPublished: (island: OwnIsland) => void
  onDraft?: (draft: PublishDraft) => void
  children?: ReactNode
}

/** Publishes a draft, or changes who may know about an island and enter it. */
export function AccessForm({ island, onPublished, onDraft, children }: AccessFormProps) {
  const { id } = island
  const isNew = isDraft(island)
  const isSecret = isSecretSlug(island.slug)
  /** An island keeps a plain slug, whatever its new access policy. */
  const takesSlug = (choice: AccessChoice) => (isNew || isSecret) && isKnownToAll(choice)
  const { publish } = useOwnIslandChanges()
  const form = useApiForm({
    values: {
      access: island.access,
      isListed: island.isListed,
      isShared: island.isShared,
      slug: wishedSlug(island.slug),
    },
    draft: publishDraft(id),
    read: ({ access, isListed, isShared, slug }) =>
      readBy(publishIsland.body, {
        access,
        isListed,
        ...(isListed && isShared !== island.isShared && { isShared }),
        ...(takesSlug({ access, isListed }) && { slug }),
      }),
    send: (body) => publish(id, body),
    onSent: onPublished,
    fieldOf: { slug_taken: 'slug' },
  })
  const { access, isListed, isShared, slug } = form.values
  useEffect(
    () => onDraft?.({ access, isListed, isShared, slug }),
    [access, isListed, isShared, slug, onDraft],
  )

  return (
    <form
      {...form.wiring}
      aria-label={isNew ? t`Publish` : t`Door`}
      className="flex min-w-0 flex-col gap-6"
    >
      <AccessFields
        value={{ access, isListed }}
        onChange={(choice) =>
          form.change(isNew ? withPreset({ access, isListed }, choice) : choice)
        }
      />
      {isListed && (
        <Checkbox
          label={t`Let other installations show it`}
          hint={t`Other installations that follow this one may show it too, with a link to its page here. When you end this, they take it away within a minute.`}
          checked={isShared}
          onChange={({ target }) => form.change({ isShared: target.checked })}
        />
      )}
      <WhoSeesWhat choice={{ access, isListed }} />
      {takesSlug({ access, isListed }) ? (
        <SlugField
          value={slug}
          error={form.problemOf('slug')}
          onChange={(next) => form.change({ slug: next })}
        />
      ) : (
        isSecret && <SecretAddress slug={island.slug} />
      )}
      <FormActions
        form={form}
        submit={isNew ? t`Publish island` : t`Save door`}
        busy={isNew ? t`Publishing…` : t`Saving…`}
      >
        {children}
      </FormActions>
    </form>
  )
}

/** A public island is listed by default, any other is not. */
export function withPreset(before: AccessChoice, choice: AccessChoice): AccessChoice {
  return choice.access === before.access
    ? choice
    : { ...choice, isListed: choice.access === 'public' }
}

/** Why the address differs from the one that the host asked for. */
function SecretAddress({ slug }: { slug: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="font-medium">
        <Trans>Address</Trans>
      </p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        {window.location.host}
        {paths.island(slug)}
      </p>
      <p className="text-xs text-muted">
        <Trans>It ends with six random characters so that nobody can guess it.</Trans>
      </p>
    </div>
  )
}

const policies = [
  { value: 'public', ...accessWords.public },
  { value: 'members', ...accessWords.members },
  { value: 'invited', ...accessWords.invited },
] as const

export function AccessFields(props: {
  value: AccessChoice
  onChange: (choice: AccessChoice) => void
}) {
  const { value, onChange } = props
  return (
    <>
      <RadioCards
        legend={t`Who may enter`}
        options={policies}
        columns="gap-3 sm:grid-cols-3"
        value={value.access}
        onChange={(access) => onChange({ ...value, access })}
      />
      <Checkbox
        label={t`Let people find it in Explore`}
        hint={t`It then appears in Explore, in Discover, in the search and on the star chart. Search engines may show it too.`}
        checked={value.isListed}
        onChange={({ target }) => onChange({ ...value, isListed: target.checked })}
      />
    </>
  )
}

const names: Readonly<Record<Audience['who'], string>> = {
  everybody: t`Everybody on the internet`,
  navigators: t`Navigators who are signed in`,
  members: t`Your members`,
}

function WhoSeesWhat({ choice }: { choice: AccessChoice }) {
  const headingId = useId()
  return (
    <section
      aria-labelledby={headingId}
      className="flex min-w-0 flex-col gap-4 rounded-control bg-raised p-4 sm:p-5"
    >
      <h3 id={headingId} className="text-sm font-semibold">
        <Trans>Who can do what</Trans>
      </h3>
      <dl className="flex flex-col gap-4">
        {audiences(choice).map((audience) => {
          const Icon = iconOf(audience)
          return (
            <div key={audience.who} className="grid grid-cols-[1.25rem_1fr] gap-x-3">
              <dt className="contents text-sm font-medium">
                <Icon
                  aria-hidden
                  className={
                    audience.knows ? 'mt-0.5 size-5 text-island' : 'mt-0.5 size-5 text-faint'
                  }
                />
                {names[audience.who]}
              </dt>
              <dd className="col-start-2 text-sm text-muted">{audienceText(audience)}</dd>
            </div>
          )
        })}
      </dl>
      <p className="text-xs text-muted">
        <Trans>
          Only you and its members see who the members are. People you block see what a signed-out
          visitor sees. If you let fewer people in later, visitors still keep what they already saw
          or saved.
        </Trans>
      </p>
    </section>
  )
}

function iconOf({ knows, enters }: Audience): IconComponent {
  if (enters) return DoorOpen
  return knows ? Eye : EyeOff
}
