import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { useCopying } from './use-copying.ts'

type CopyButtonProps = { readonly text: string; readonly look?: 'plain' | 'primary' }

/** Copies a text. Hidden without HTTPS, where there is no clipboard; the text can be copied from its field. */
export function CopyButton({ text, look = 'plain' }: CopyButtonProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopying(text)
  if (!(navigator.clipboard as Clipboard | undefined)) return null
  return (
    <Button look={look} icon="copy" onClick={copy}>
      <span aria-live="polite">{t(outcome === 'copied' ? 'links.copied' : 'links.copy')}</span>
    </Button>
  )
}
