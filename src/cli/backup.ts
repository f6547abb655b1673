import { writeBackup } from '../db/upkeep/backup.ts'
import { countAll } from '../db/upkeep/counts.ts'
import { writeTransferFile } from '../transfer/write-file.ts'
import { CommandFailure, type DataCommand, type DataContext, requiredOption } from './command.ts'
import { countText } from './counts.ts'
import { requireFile } from './tenant-file.ts'

export const backup: DataCommand = {
  kind: 'data',
  name: 'backup',
  opensAsItIs: true,
  file: { option: 'out', mode: 'written' },
  summary: 'Back up the embedded database to a file, even while a service has it open.',
  options: {
    out: { type: 'string', value: 'FILE', help: 'The file, such as fahrplan.tar.gz', required: true },
    portable: {
      type: 'boolean',
      help: 'Rows instead of files (.ndjson.gz): from any PostgreSQL, for any other',
    },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async (context) => {
    const { values, terminal } = context
    const { schools, students, lessons } = await countAll(context.db)
    const facts = values.portable ? await writeRows(context) : await writeFiles(context)
    const held = `${countText(schools, 'school')}, ${countText(students, 'student')} and ${countText(lessons, 'lesson')}`
    terminal.out(
      values.json
        ? JSON.stringify({ ...facts, schools, students, lessons })
        : `Wrote the backup ${requiredOption(values, 'out')}: ${held}.`,
    )
  },
}

async function writeRows({ db, terminal, file }: DataContext) {
  const path = requireFile(file)
  const { counts } = await writeTransferFile(db, { path, now: new Date(), onProgress: terminal.progress })
  return { counts }
}

async function writeFiles({ db, dataDir, file }: DataContext) {
  const path = requireFile(file)
  if (dataDir !== undefined) return writeBackup(db, dataDir, { path, now: new Date() })
  throw new CommandFailure(
    'To back up PostgreSQL, use its own tools, such as pg_dump: see "Backups" in docs/operations.md. To back up only its rows: --portable.',
  )
}
