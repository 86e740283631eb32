import { Slug } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import Check from 'virtual:icon/check'
import CircleAlert from 'virtual:icon/circle-alert'
import Loader from 'virtual:icon/loader'
import { slugCheckQuery } from '../../../islands/island-queries.ts'
import { translateServerSentence } from '../../../language/server-sentence.ts'
import { useSettled } from '../../../lib/use-settled.ts'
import { paths } from '../../../paths.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { typedSlug } from './slug-text.ts'

interface SlugFieldProps {
  value: string
  onChange: (slug: string) => void
  error: string | undefined
  /** The island's current slug, which is not checked for availability. */
  current?: string
  children?: ReactNode
}

/** How long typing has to pause before the slug is checked. */
const settleMs = 300

/** The address of an island's page: a preview, and whether it is available, while typing. */
export function SlugField(props: SlugFieldProps) {
  const { value, onChange, error, current, children } = props
  const isAsked = error === undefined && value !== current
  return (
    <TextField
      label={t`Address`}
      error={error}
      name="slug"
      {...verbatimInput}
      value={value}
      onChange={(text) => onChange(typedSlug(text))}
      hint={
        <span className="flex flex-col gap-1">
          <span className="font-mono wrap-anywhere">
            {window.location.host}
            {paths.island(value)}
          </span>
          {children}
          <output className="min-h-4.5">{isAsked && <SlugState slug={value} />}</output>
        </span>
      }
    />
  )
}

function SlugState({ slug }: { slug: string }) {
  const settled = useSettled(slug, settleMs)
  const { success, issues } = v.safeParse(Slug, settled)
  const check = useQuery({ ...slugCheckQuery(settled), enabled: success })
  if (slug === '' || settled !== slug) return null
  if (!success) return <Refusal>{translateServerSentence(issues[0].message)}</Refusal>
  if (check.isError) return t`It could not be checked whether this address is free.`
  if (check.data === undefined) {
    return (
      <span className="flex items-center gap-1.5">
        <Loader aria-hidden className="size-3.5 shrink-0 motion-safe:animate-spin" />
        <Trans>Checking whether it is free…</Trans>
      </span>
    )
  }
  const { isFree, sentence } = check.data
  if (!isFree)
    return (
      <Refusal>
        {translateServerSentence(sentence ?? '') || t`You can’t use this address. Try another one.`}
      </Refusal>
    )
  return (
    <span className="flex items-center gap-1.5 text-accent">
      <Check aria-hidden className="size-3.5 shrink-0" />
      <Trans>This address is free.</Trans>
    </span>
  )
}

function Refusal({ children }: { children: string }) {
  return (
    <span className="flex items-start gap-1.5 text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {children}
    </span>
  )
}
