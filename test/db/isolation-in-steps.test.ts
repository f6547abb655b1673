// @module-tag long: runs each long task beside twins of the school; http/isolation.test.ts covers the routes

import { it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import { useOwnService } from '../support/app.ts'
import { liveBesideTwins } from '../support/beside-twins.ts'
import { postgresDatabase } from '../support/database.ts'

/** A service that treats its server as the coordinator of a cluster. */
const service = useOwnService({}, async () =>
  connectPostgres(postgresDatabase().app, (error) => console.error(error.message), { isSpread: true }),
)

/** The timeout for some 300 requests to each school. */
const PATIENCE = 120_000

it(
  'in cluster mode, a school and its twins with the same ids do not affect each other',
  () => liveBesideTwins(service()),
  PATIENCE,
)
