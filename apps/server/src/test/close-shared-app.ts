import { afterAll } from 'vitest'
import { closeSharedTestApp } from './create-test-app.ts'

afterAll(closeSharedTestApp)
