declare module 'bidi-js' {
  export default function bidiFactory(): {
    readonly getEmbeddingLevels: (
      text: string,
      direction?: 'ltr' | 'rtl' | 'auto',
    ) => { readonly levels: Uint8Array }
    readonly getMirroredCharacter: (sign: string) => string | null
  }
}
