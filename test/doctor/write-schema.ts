import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { ROOT } from '../support/process.ts'
import { madeSchema, schemaText } from './made-schema.ts'

const db = await connectEmbedded(undefined, console.error)
await migrate(db)
writeFileSync(join(ROOT, 'src/db/schema/schema.json'), schemaText(await madeSchema(db)))
await db.destroy()
console.log('Written: src/db/schema/schema.json')
