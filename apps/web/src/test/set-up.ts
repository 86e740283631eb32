import './quick-react.ts'
import { getSignInOptions } from '@astropelago/contract/accounts'
import { hintCookie } from '@astropelago/contract/me'
import { listNeighbours } from '@astropelago/contract/neighbours'
import { beforeEach, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { motionPause } from '../lib/motion.ts'
import { savedLocation } from '../lib/saved-location.ts'
import { neighbourChoice } from '../neighbours/neighbour-choice.ts'
import { answerApi, answeredFetch, forgetAnswers } from './answer-api.ts'
import { AnsweredRequest } from './answered-request.ts'
import { leaveClipboard, shareClipboard } from './clipboard.ts'
import { forgetDepartures, stayOnPage } from './departures.ts'
import { expectNoProblems, watchConsole } from './page-problems.ts'
import '../styles/main.css'
import './quick-drawing.css'

const ownAddress = window.location.href
const { innerWidth: ownWidth, innerHeight: ownHeight } = window

window.fetch = answeredFetch
Object.assign(window, { XMLHttpRequest: AnsweredRequest })
watchConsole()
stayOnPage()
shareClipboard()

beforeEach(() => {
  // The callback registered first runs last. By then the components are unmounted, and no longer send
  // requests or write to storage. In an afterEach they would still be mounted.
  onTestFinished(putBack)
  // Most installations follow no others.
  answerApi(listNeighbours, { status: 200, body: { neighbours: [] } })
  // The sign-in dialog requests it wherever it opens.
  answerApi(getSignInOptions, {
    status: 200,
    body: { registration: 'open', isDemoOn: true, canSendMail: false },
  })
})

async function putBack() {
  forgetDepartures()
  forgetAnswers()
  motionPause.set(false)
  savedLocation.clear()
  window.localStorage.clear()
  neighbourChoice.forget()
  window.sessionStorage.clear()
  document.cookie = `${hintCookie}=;path=/;max-age=0`
  for (const name of Object.keys(document.documentElement.dataset)) {
    delete document.documentElement.dataset[name]
  }
  window.history.replaceState(null, '', ownAddress)
  if (window.innerWidth !== ownWidth) await page.viewport(ownWidth, ownHeight)
  await leaveClipboard()
  expectNoProblems()
}
