/** Checks what visitors get while servers, agents and the connections between them fail. */
import { answersBetween, startCounting, Visitors } from './relay/load.ts'
import { Network } from './relay/network.ts'
import { RelayStand } from './relay/relay-stand.ts'
import { checkThousandAgents } from './relay/thousand-agents.ts'

const visitorCount = 24

await checkFaults()
await checkThousandAgents()

async function checkFaults(): Promise<void> {
  const stand = await RelayStand.open()
  const service = await startCounting()
  const { network, url } = await Network.to(stand.port)
  const args = ['--to', service.url]
  try {
    const island = await stand.makeIsland()
    let agent = await stand.runAgent(island, { args, server: url })
    const visitors = new Visitors(stand.port, island.host, visitorCount)
    const tell = async (what: string) => {
      const tookMs = await visitors.whenAnswered(what)
      console.log(
        `  ${what}: ${answersBetween} visitors were answered ${(tookMs / 1000).toFixed(1)} s later`,
      )
    }
    await visitors.whenAnswered('visitors are answered')

    await agent.kill('SIGKILL')
    agent = await stand.runAgent(island, { args, server: url })
    await tell('the agent was killed and is back')
    await stand.killServer('SIGKILL')
    await stand.startServer()
    await tell('the server was killed and is back')
    await stand.killServer('SIGTERM')
    await stand.startServer()
    await tell('the server was stopped and is back')

    // A new agent, because this one has lost several connections within a minute and waits longer each
    // time.
    await agent.kill('SIGTERM')
    agent = await stand.runAgent(island, { args, server: url })
    network.cut()
    await visitors.whenRefused('the relay refuses visitors')
    network.restore()
    await tell('the network was cut and is back')
    network.fallSilent()
    await tell('the network fell silent and took new connections')

    await visitors.leave()
    await visitors.judge(service)
    await agent.kill('SIGTERM')
  } finally {
    await stand.close()
    network.close()
    service.stop()
  }
}
