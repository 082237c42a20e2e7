/** Left and right by name, where a script that runs from right to left needs start and end. */
const IN_CSS =
  /(?:^|[\s;{])((?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)*|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(text-align|float|clear)\s*:\s*(left|right)\b/
const IN_CODE =
  /\b((?:margin|padding|border|scrollMargin|scrollPadding)(?:Left|Right)\w*|border(?:Top|Bottom)(?:Left|Right)Radius)\s*[:=]|\b(textAlign|float)\s*:\s*['"](left|right)['"]/
/** Mantine's physical shorthands; `ms`, `me`, `ps`, `pe` are the logical ones. */
const IN_MARKUP = /\s(ml|mr|pl|pr|left|right)=[{"]|\s(ta)="(?:left|right)"/

const without = (text: string, comment: RegExp) => text.replace(comment, all => all.replace(/[^\n]/g, ' '))

/** One line for each physical property (`margin-left`) where a logical one (`margin-inline-start`) belongs. */
export function findPhysicalStyles(file: string, text: string): string[] {
  const patterns = file.endsWith('.css') ? [IN_CSS] : file.endsWith('.tsx') ? [IN_CODE, IN_MARKUP] : [IN_CODE]
  return without(text, /\/\*[\s\S]*?\*\//g)
    .split('\n')
    .flatMap((line, index) =>
      patterns
        .map(pattern => pattern.exec(line))
        .filter(match => match !== null)
        .map(
          match =>
            `${file}:${index + 1} ${(match[1] ?? match[2] ?? '').trim()}: use the logical property (start, end)`,
        ),
    )
}
