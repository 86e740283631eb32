const texts = {
  en: {
    title: 'Say who you are?',
    text: (island: string, site: string) =>
      `To take part here, say who you are. ${island} learns the name that you have on ${site}. ${site} asks you in a window of its own.`,
    agree: 'Say who you are',
    decline: 'Not now',
  },
  de: {
    title: 'Möchtest du sagen, wer du bist?',
    text: (island: string, site: string) =>
      `Um hier mitzumachen, musst du sagen, wer du bist. ${island} erfährt den Namen, den du auf ${site} hast. ${site} fragt dich in einem eigenen Fenster.`,
    agree: 'Sagen, wer ich bin',
    decline: 'Nicht jetzt',
  },
}

const style = `
:host { all: initial !important }
dialog {
  box-sizing: border-box; width: 360px; max-width: calc(100vw - 32px); padding: 24px;
  border: 1px solid #3b4470; border-radius: 16px; background: #10142b; color: #e8ebff;
  font: 16px/1.5 system-ui, sans-serif; box-shadow: 0 16px 64px #000c; color-scheme: dark;
}
dialog::backdrop { background: #050714b3 }
h2 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 20px; color: #bcc3e6; overflow-wrap: anywhere }
div { display: flex; flex-wrap: wrap; gap: 12px }
button {
  flex: 1 1 auto; min-height: 44px; padding: 8px 16px; border: 1px solid #56609a; border-radius: 10px;
  background: none; color: inherit; font: inherit; cursor: pointer;
}
button:first-child { border-color: #a9c1ff; background: #a9c1ff; color: #10142b; font-weight: 600 }
button:focus-visible { outline: 3px solid #fff; outline-offset: 2px }
`

interface ConsentDialog {
  readonly islandName: string
  readonly siteName: string
  /** In the click, so that it may open a window. The dialog stays. */
  readonly onAgree: () => void
  readonly onDecline: () => void
}

/**
 * Asks whether the visitor says who they are. No style or script of the page reaches it, and no content
 * security policy keeps its style off.
 * @returns closes it
 */
export function showConsentDialog(options: ConsentDialog): () => void {
  const { islandName, siteName, onAgree, onDecline } = options
  const language = navigator.language.startsWith('de') ? 'de' : 'en'
  const { title, text, agree, decline } = texts[language]
  const host = document.createElement('astropelago-consent')
  const root = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]

  const dialog = document.createElement('dialog')
  dialog.lang = language
  const heading = make('h2', title)
  dialog.ariaLabel = title
  const buttons = document.createElement('div')
  buttons.append(makeButton(agree, onAgree), makeButton(decline, onDecline))
  dialog.append(heading, make('p', text(islandName, siteName)), buttons)
  // The Escape key.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    onDecline()
  })
  root.append(dialog)
  document.documentElement.append(host)
  dialog.showModal()

  return () => {
    // Closing it gives the focus back.
    dialog.close()
    host.remove()
  }
}

function make(tag: 'h2' | 'p' | 'button', text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

function makeButton(text: string, onClick: () => void): HTMLElement {
  const button = make('button', text)
  button.addEventListener('click', onClick)
  return button
}
