import { type Uptime, uptimeWindows } from '@astropelago/contract/history'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { windowNames } from '../ui/history-words.ts'
import { SelectField } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { publicUrl } from './public-url.ts'

type Badge = 'status' | Uptime['window']

export interface Embedded {
  readonly name: string
  readonly page: string
  readonly statusBadge: string
  readonly uptimeBadge: string
  /** Undefined if it has none. */
  readonly feed?: string
}

export function EmbedCard({ of, state }: { of: Embedded; state: string }) {
  const [badge, setBadge] = useState<Badge>('status')
  const path = badge === 'status' ? of.statusBadge : `${of.uptimeBadge}?window=${badge}`
  const { name } = of
  const period = badge === 'status' ? undefined : windowNames[badge]
  const alt = period === undefined ? t`Status of ${name}` : t`Uptime of ${name}, ${period}`
  const shown = { picture: absolute(path), page: absolute(of.page), alt }
  return (
    <Card
      title={t`Show it elsewhere`}
      description={
        of.feed === undefined
          ? t`Put a badge on a website or into a README. Everybody can see it.`
          : t`Put a badge on a website or into a README, or follow a feed in a feed reader. Everybody can see both.`
      }
    >
      {/* Lets feed readers find the feed from the page's address. */}
      {of.feed !== undefined && (
        <link rel="alternate" type="application/atom+xml" title={name} href={of.feed} />
      )}
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <SelectField
          label={t`Badge`}
          className="w-full sm:w-56"
          value={badge}
          onChange={(chosen) => setBadge(badges.find((one) => one === chosen) ?? 'status')}
        >
          {badges.map((one) => (
            <option key={one} value={one}>
              {badgeText(one)}
            </option>
          ))}
        </SelectField>
        <Preview path={path} state={state} alt={alt} />
      </div>
      <Tabs
        label={t`Ways to show it`}
        tabs={[
          { name: 'HTML', content: <CodeBlock label="HTML" text={htmlSnippet(shown)} /> },
          {
            name: 'Markdown',
            content: <CodeBlock label="Markdown" text={markdownSnippet(shown)} />,
          },
          {
            name: t`Address`,
            content: <CodeBlock label={t`Address of the badge`} text={shown.picture} />,
          },
        ]}
      />
      {of.feed !== undefined && (
        <CodeBlock label={t`Address of its Atom feed`} text={absolute(of.feed)} />
      )}
    </Card>
  )
}

function absolute(path: string): string {
  return new URL(path, publicUrl()).href
}

const badges: readonly Badge[] = ['status', ...uptimeWindows]

function badgeText(badge: Badge): string {
  if (badge === 'status') return t`Status`
  const period = windowNames[badge]
  return t`Uptime, ${period}`
}

function Preview({ path, state, alt }: { path: string; state: string; alt: string }) {
  const query = useQuery(badgeQuery(path, state))
  const { data } = query
  if (data === undefined && query.isError) {
    return (
      <ErrorLine query={query}>
        <Trans>The badge could not be loaded.</Trans>
      </ErrorLine>
    )
  }
  return (
    <div className="flex h-10 min-w-0 items-center overflow-x-auto">
      {data === undefined ? (
        <Skeleton className="h-5 w-32 rounded-mark" />
      ) : (
        <img src={data} alt={alt} className="h-5 max-w-none" />
      )}
    </div>
  )
}

/** Uptimes change as time passes. */
const freshMs = 60_000

/** A data: URL, because a page loads each image address only once and would never show a change. */
function badgeQuery(path: string, state: string) {
  return queryOptions({
    queryKey: ['badge', path, state],
    queryFn: async ({ signal }) => {
      const answer = await fetch(path, { signal, cache: 'no-cache', credentials: 'omit' })
      if (!answer.ok) throw new Error(`The badge was refused with ${answer.status}`)
      return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`
    },
    refetchInterval: freshMs,
    placeholderData: keepPreviousData,
  })
}

interface Shown {
  readonly picture: string
  readonly page: string
  readonly alt: string
}

/** Owners choose the names, so they are escaped. */
export function htmlSnippet({ picture, page, alt }: Shown): string {
  return `<a href="${escapeHtml(page)}"><img src="${escapeHtml(picture)}" alt="${escapeHtml(alt)}"></a>`
}

export function markdownSnippet({ picture, page, alt }: Shown): string {
  return `[![${alt.replaceAll(/[\\`*_~<>&[\]!]/g, String.raw`\$&`)}](${picture})](${page})`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}

/** For the owner of something that is not public. Says why. */
export function NoEmbeds({ children }: { children: ReactNode }) {
  return <Card title={t`Show it elsewhere`} description={children}></Card>
}
