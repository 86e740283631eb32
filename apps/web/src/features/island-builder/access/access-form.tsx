import { AccessPolicy, type OwnIsland, publishIsland } from '@astropelago/contract/islands'
import { type ReactNode, useEffect } from 'react'
import * as v from 'valibot'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { isDraft, useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { SlugField } from '../details/slug-field.tsx'
import { isSecretSlug, wishedSlug } from '../details/slug-text.ts'
import { type AccessChoice, isKnownToAll } from './audiences.ts'
import { AccessFields } from './access-fields.tsx'

const PublishDraft = v.object({ access: AccessPolicy, isListed: v.boolean(), slug: v.string() })
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
      slug: wishedSlug(island.slug),
    },
    draft: publishDraft(id),
    read: ({ access, isListed, slug }) =>
      readBy(publishIsland.body, {
        access,
        isListed,
        ...(takesSlug({ access, isListed }) && { slug }),
      }),
    send: (body) => publish(id, body),
    onSent: onPublished,
    fieldOf: { slug_taken: 'slug' },
  })
  const { access, isListed, slug } = form.values
  useEffect(() => onDraft?.({ access, isListed, slug }), [access, isListed, slug, onDraft])

  return (
    <form
      {...form.wiring}
      aria-label={isNew ? 'Publish' : 'Door'}
      className="flex min-w-0 flex-col gap-6"
    >
      <AccessFields
        value={{ access, isListed }}
        onChange={(choice) =>
          form.change(isNew ? withPreset({ access, isListed }, choice) : choice)
        }
      />
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
        submit={isNew ? 'Publish island' : 'Save door'}
        busy={isNew ? 'Publishing…' : 'Saving…'}
      >
        {children}
      </FormActions>
    </form>
  )
}

/** A public island is listed by default, any other is not. */
function withPreset(before: AccessChoice, choice: AccessChoice): AccessChoice {
  return choice.access === before.access
    ? choice
    : { ...choice, isListed: choice.access === 'public' }
}

/** Why the address differs from the one that the host asked for. */
function SecretAddress({ slug }: { slug: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="font-medium">Address</p>
      <p className="font-mono text-xs wrap-anywhere text-muted">
        {window.location.host}
        {paths.island(slug)}
      </p>
      <p className="text-xs text-muted">
        It ends with six random characters so that nobody can guess it.
      </p>
    </div>
  )
}
