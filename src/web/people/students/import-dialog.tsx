import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StudentImportPreview } from '../../../contract/student-import.ts'
import { MOST_FILE_BYTES } from '../../../domain/ranges.ts'
import { checkImport, importStudents, readChosen } from '../../data/student-files.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { fileProblemMessage } from './file-messages.ts'
import css from './import-preview.module.css'
import { ImportPreview } from './import-preview.tsx'

type ImportDialogProps = { readonly onClose: () => void }

/** Imports students from a file after a preview with faults and duplicates. */
export default function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation()
  const [anyway, setAnyway] = useState<ReadonlySet<number>>(new Set())
  const [skipsFaulty, setSkipsFaulty] = useState(false)
  const { mutate, error, isPending, reset } = useImport(onClose)
  const chosen = useChosenFile(() => {
    setAnyway(new Set())
    setSkipsFaulty(false)
    reset()
  })
  const { preview } = chosen
  const sound = preview ? soundOf(preview, anyway) : 0
  const isFaulty = preview !== undefined && preview.faulty_lines > 0
  const count = isFaulty && !skipsFaulty ? 0 : sound
  const send = () => {
    if (chosen.file === undefined) return
    mutate({ file: chosen.file, import_lines: [...anyway], skip_faulty_lines: skipsFaulty })
  }
  return (
    <FormDialog
      title={t('files.importTitle')}
      submit={count > 0 ? t('files.importCount', { count }) : t('files.import')}
      size={720}
      isBusy={isPending}
      isBlocked={count === 0}
      isFilled={preview !== undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <p className={css.text}>{t('files.importHint')}</p>
      <FileButton isBusy={chosen.isReading} isFirst={!preview} onChoose={chosen.choose} />
      <Answer {...chosen} />
      {preview && <ImportPreview name={chosen.name} preview={preview} anyway={anyway} onChoose={setAnyway} />}
      {isFaulty && sound > 0 && (
        <label className={css.all}>
          <input
            type="checkbox"
            checked={skipsFaulty}
            onChange={({ currentTarget }) => setSkipsFaulty(currentTarget.checked)}
          />
          {t('files.skipFaulty', { count: sound })}
        </label>
      )}
      {error && (
        <Notice kind="bad" isAnswer>
          {fileProblemMessage(error, t)}
        </Notice>
      )}
    </FormDialog>
  )
}

/** Counts lines without faults to be imported. */
function soundOf({ students, faulty_lines, duplicates }: StudentImportPreview, anyway: ReadonlySet<number>) {
  return students - faulty_lines - duplicates.length + anyway.size
}

class TooLarge extends Error {}

/** Returns the preview of the last chosen file. */
function useChosenFile(onChosen: () => void) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (chosen: File) => {
      if (chosen.size > MOST_FILE_BYTES) throw new TooLarge()
      const read = await readChosen(chosen)
      return { ...read, preview: await checkImport(read) }
    },
  })
  const choose = (chosen: File) => {
    onChosen()
    mutate(chosen)
  }
  const { name = '', file, preview } = data ?? {}
  return { name, file, preview, error, isReading: isPending, choose }
}

function Answer({ isReading, error }: { readonly isReading: boolean; readonly error: unknown }) {
  const { t } = useTranslation()
  if (isReading)
    return (
      <p role="status" className={css.text}>
        {t('files.reading')}
      </p>
    )
  if (!error) return null
  return (
    <Notice kind="bad" isAnswer>
      {error instanceof TooLarge ? t('files.tooLarge') : fileProblemMessage(error, t)}
    </Notice>
  )
}

function useImport(onDone: () => void) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: importStudents,
    onSuccess: ({ imported, skipped_lines, faulty_lines = [] }) => {
      const [skipped, faulty] = [skipped_lines.length, faulty_lines.length]
      const words = [
        t('files.imported', { count: imported }),
        ...(skipped > 0 ? [t('files.skipped', { count: skipped })] : []),
        ...(faulty > 0 ? [t('files.leftOut', { count: faulty })] : []),
      ]
      toast({ kind: 'done', text: words.join(' ') })
      onDone()
    },
  })
}

type FileButtonProps = {
  readonly isBusy: boolean
  readonly isFirst: boolean
  readonly onChoose: (chosen: File) => void
}

/** The browser's own file field speaks its own language; a button opens it. */
function FileButton({ isBusy, isFirst, onChoose }: FileButtonProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? []
    // Lets the same file be chosen again after a correction.
    currentTarget.value = ''
    if (chosen) onChoose(chosen)
  }
  return (
    <div>
      <input ref={field} type="file" accept=".csv,.txt,text/csv" hidden onChange={take} />
      <Button
        look={isFirst ? 'primary' : 'plain'}
        isBusy={isBusy}
        data-autofocus
        onClick={() => field.current?.click()}
      >
        {t(isFirst ? 'files.choose' : 'files.chooseOther')}
      </Button>
    </div>
  )
}
