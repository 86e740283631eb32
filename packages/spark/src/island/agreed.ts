/** The script of the page where a window that asked for the visitor's consent ends up. */
import { agreedChannel } from '@astropelago/contract/runtime-paths'

// oxlint-disable-next-line unicorn/require-post-message-target-origin
new BroadcastChannel(agreedChannel).postMessage('agreed')
window.close()
