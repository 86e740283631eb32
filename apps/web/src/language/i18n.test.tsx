import { Trans } from '@lingui/react/macro'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

test('what people wrote is text, whatever is in it', () => {
  for (const name of ['<0>x</0>', 'a <b>x</b>', '<script>', '{name}', '#', "it's"]) {
    const html = renderToStaticMarkup(
      <Trans>
        Hello <b>{name}</b>
      </Trans>,
    )
    const shown = renderToStaticMarkup(<>{name}</>)
    expect(html).toBe(`Hello <b>${shown}</b>`)
  }
})
