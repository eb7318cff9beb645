/** What to use in place of a class of the language that has no JSON form. */
export function fixForBuiltIn(name: string): string {
  return fixes.find(({ names }) => names.test(name))?.fix ?? 'Use a plain object, an array or a scalar.';
}

const fixes: readonly { readonly names: RegExp; readonly fix: string }[] = [
  { names: /^(?:Readonly)?Map$/, fix: 'Use Record<string, T>, or an array of objects with a key and a value.' },
  { names: /^Promise(?:Like)?$/, fix: 'Use the type it resolves to.' },
  { names: /^(?:Readonly)?Array$/, fix: 'Use the array type itself, T[].' },
  { names: /^(?:String|Number|Boolean)$/, fix: 'Use the primitive type, in lower case.' },
  { names: /^RegExp$/, fix: 'Use a string that holds the expression.' },
  { names: /Error$/, fix: 'Use an object with the properties that matter, such as a code and a message.' },
  { names: /^(?:.*Array|.*ArrayBuffer|DataView)$/, fix: 'Use a base64 string, or an array of numbers.' },
  { names: /^(?:Instant|ZonedDateTime)$/, fix: 'Use Date.' },
  { names: /^(?:Plain\w+|Duration)$/, fix: "Use a string with a format, such as string & Format<'date'>." },
  { names: /Iterable|Iterator|Generator/, fix: 'Use an array.' },
];
