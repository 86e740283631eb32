/** The source of spark.js in the preview of a draft: the same, without a server and without a visitor. */
import { createIslandSpark, installIslandSpark } from './island-spark.ts'
import { localServer } from './local-server.ts'

const nobody = () => Promise.resolve(null)

installIslandSpark(() => {
  const spark = createIslandSpark(localServer(), window, new EventTarget())
  return Object.freeze({ ...spark, user: nobody, signIn: nobody })
})
