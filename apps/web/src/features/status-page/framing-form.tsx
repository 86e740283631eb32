import { frameHostsPerStatusPage } from '@astropelago/contract/limits'
import { type StatusPageSettings, updateStatusPage } from '@astropelago/contract/status-pages'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText } from '../../lib/failure-text.ts'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
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
  const [typed, setTyped] = useState(frameHosts.join('\n'))
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLTextAreaElement>(null)
  const showToast = useToast()
  const saving = useChangeStatusPage((saved) => {
    setTyped(saved.frameHosts.join('\n'))
    showToast({ title: 'Hosts saved' })
  })
  const submit = () => {
    const body = { frameHosts: typed.split(/[\s,]+/).filter((host) => host !== '') }
    const { issues } = v.safeParse(updateStatusPage.body, body)
    setProblem(issues?.[0].message)
    if (issues) input.current?.focus()
    else saving.mutate(body)
  }
  const src = `${publicUrl()}${paths.statusPage(username)}`
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="In a frame"
        description="Websites that may show your status page inside one of their pages. No other website can do that."
      />
      <form
        noValidate
        aria-labelledby={headingId}
        className="flex flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!saving.isPending) submit()
        }}
      >
        <Field
          label="Hosts"
          optional
          className="w-full"
          error={problem ?? failureText(saving.error)}
          hint={`One per line, at most ${frameHostsPerStatusPage}. For example: wall.example.org, *.example.org or nas.local:8080.`}
        >
          {(wiring) => (
            <TextArea
              {...wiring}
              ref={input}
              name="frameHosts"
              spellCheck={false}
              autoCapitalize="none"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="outline" size="sm" busy={saving.isPending}>
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
