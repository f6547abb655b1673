import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_FILE_BYTES } from '../../../domain/ranges.ts'
import {
  checkImport,
  IMPORT_KINDS,
  type ImportKind,
  importFile,
  type ImportPreview as Preview,
  readChosen,
} from '../../data/student-files.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import choices from './export-dialog.module.css'
import { fileProblemMessage } from './file-messages.ts'
import css from './import-preview.module.css'
import { ImportPreview } from './import-preview.tsx'

type ImportDialogProps = { readonly onClose: () => void }

/** Imports students, vehicles or opening balances from a file after a preview with faults and duplicates. */
export default function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<ImportKind>('students')
  const [anyway, setAnyway] = useState<ReadonlySet<number>>(new Set())
  const [skipsFaulty, setSkipsFaulty] = useState(false)
  const { mutate, error, isPending, reset } = useImport(onClose)
  const chosen = useChosenFile(kind, () => {
    setAnyway(new Set())
    setSkipsFaulty(false)
    reset()
  })
  const { preview } = chosen
  const sound = preview ? soundOf(preview, anyway) : 0
  const isFaulty = preview !== undefined && preview.faulty_lines > 0
  const count = isFaulty && !skipsFaulty ? 0 : sound
  const choose = (next: ImportKind) => {
    chosen.clear()
    setKind(next)
  }
  const send = () => {
    if (chosen.file === undefined) return
    mutate({ kind, file: chosen.file, import_lines: [...anyway], skip_faulty_lines: skipsFaulty })
  }
  return (
    <FormDialog
      title={t(`files.of.${kind}.title`)}
      submit={count > 0 ? t(`files.of.${kind}.count`, { count }) : t('files.import')}
      size={720}
      isBusy={isPending}
      isBlocked={count === 0}
      isFilled={preview !== undefined}
      onSubmit={send}
      onClose={onClose}
    >
      {!preview && <Kinds chosen={kind} isBusy={chosen.isReading} onChoose={choose} />}
      <p className={css.text}>{t(`files.of.${kind}.hint`)}</p>
      <FileButton isBusy={chosen.isReading} isFirst={!preview} onChoose={chosen.choose} />
      <Answer {...chosen} kind={kind} />
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
      <FailureNotice error={error} explain={(failure) => fileProblemMessage(failure, kind, t)} />
    </FormDialog>
  )
}

type KindsProps = {
  readonly chosen: ImportKind
  readonly isBusy: boolean
  readonly onChoose: (kind: ImportKind) => void
}

function Kinds({ chosen, isBusy, onChoose }: KindsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={choices.choices} disabled={isBusy}>
      <legend>{t('files.what')}</legend>
      {IMPORT_KINDS.map((kind) => (
        <label key={kind}>
          <input type="radio" name="what" checked={chosen === kind} onChange={() => onChoose(kind)} />
          {t(`files.of.${kind}.what`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the number of lines to import: without faults, and of duplicates only the chosen ones. */
function soundOf({ count, faulty_lines, duplicates }: Preview, anyway: ReadonlySet<number>) {
  return count - faulty_lines - duplicates.length + anyway.size
}

class TooLarge extends Error {}

/** Returns the preview of the last chosen file. */
function useChosenFile(kind: ImportKind, onChosen: () => void) {
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (chosen: File) => {
      if (chosen.size > MAX_FILE_BYTES) throw new TooLarge()
      const read = await readChosen(chosen)
      return { ...read, preview: await checkImport(kind, read) }
    },
  })
  const choose = (chosen: File) => {
    onChosen()
    mutate(chosen)
  }
  const { name = '', file, preview } = data ?? {}
  return { name, file, preview, error, isReading: isPending, choose, clear: reset }
}

type AnswerProps = { readonly kind: ImportKind; readonly isReading: boolean; readonly error: unknown }

function Answer({ kind, isReading, error }: AnswerProps) {
  const { t } = useTranslation()
  if (isReading)
    return (
      <p role="status" className={css.text}>
        {t('files.reading')}
      </p>
    )
  return (
    <FailureNotice
      error={error}
      text={error instanceof TooLarge && t('files.tooLarge')}
      explain={(failure) => fileProblemMessage(failure, kind, t)}
    />
  )
}

function useImport(onDone: () => void) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: importFile,
    onSuccess: ({ imported, skipped_lines, faulty_lines = [] }, { kind }) => {
      const [skipped, faulty] = [skipped_lines.length, faulty_lines.length]
      const sentences = [
        t(`files.of.${kind}.done`, { count: imported }),
        ...(skipped > 0 ? [t('files.skipped', { count: skipped })] : []),
        ...(faulty > 0 ? [t('files.leftOut', { count: faulty })] : []),
      ]
      toast({ kind: 'done', text: sentences.join(' ') })
      onDone()
    },
  })
}

type FileButtonProps = {
  readonly isBusy: boolean
  readonly isFirst: boolean
  readonly onChoose: (chosen: File) => void
}

/** A button that opens the file field, which is hidden because its text is in the browser's language. */
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
