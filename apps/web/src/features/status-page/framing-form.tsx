import { frameHostsPerStatusPage } from '@astropelago/contract/limits'
import {
  type StatusPageChanges,
  type StatusPageSettings,
  updateStatusPage,
} from '@astropelago/contract/status-pages'
import * as v from 'valibot'
import type { Reading } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { useChangeStatusPage } from './status-page-query.ts'

const headingId = 'framing-heading'

/** Which sites may show the page in a frame, and the HTML for it. */
export function FramingForm({
  settings: { isOn, frameHosts },
}: {
  settings: Pick<StatusPageSettings, 'isOn' | 'frameHosts'>
}) {
  const { username } = useUser()
  const showToast = useToast()
  const form = useApiForm({
    values: { frameHosts: frameHosts.join('\n') },
    read: (typed): Reading<StatusPageChanges> => {
      const body = { frameHosts: typed.frameHosts.split(/[\s,]+/).filter((host) => host !== '') }
      const { issues } = v.safeParse(updateStatusPage.body, body)
      return issues ? { problems: { frameHosts: issues[0].message } } : { body }
    },
    send: useChangeStatusPage().mutateAsync,
    onSent: () => showToast({ title: 'Hosts saved' }),
    onlyField: 'frameHosts',
  })
  const src = `${publicUrl()}${paths.statusPage(username)}`
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="In a frame"
        description="Websites that may show your status page inside one of their pages. No other website can do that."
      />
      <form
        {...form.wiring}
        aria-labelledby={headingId}
        className="flex flex-col items-start gap-4"
      >
        <TextAreaField
          label="Hosts"
          optional
          className="w-full"
          hint={`One per line, at most ${frameHostsPerStatusPage}. For example: wall.example.org, *.example.org or nas.local:8080.`}
          spellCheck={false}
          autoCapitalize="none"
          {...form.text('frameHosts')}
        />
        <Button type="submit" variant="outline" size="sm" busy={form.isBusy}>
          Save hosts
        </Button>
      </form>
      {isOn && frameHosts.length > 0 && (
        <CodeBlock
          label="Paste this into the other website"
          language="HTML"
          text={`<iframe src="${src}" title="Status of ${username}" width="100%" height="600"></iframe>`}
        />
      )}
    </Card>
  )
}
