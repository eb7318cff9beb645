/** What to use in place of a class of the language that has no JSON form. */
export function mendForBuiltIn(name: string): string {
  return mends.find(({ names }) => names.test(name))?.mend ?? 'Use a plain object, an array or a scalar.';
}

const mends: readonly { readonly names: RegExp; readonly mend: string }[] = [
  { names: /^(?:Readonly)?Map$/, mend: 'Use Record<string, T>, or an array of objects with a key and a value.' },
  { names: /^Promise(?:Like)?$/, mend: 'Use the type it resolves to.' },
  { names: /^(?:Readonly)?Array$/, mend: 'Use the array type itself, T[].' },
  { names: /^(?:String|Number|Boolean)$/, mend: 'Use the primitive type, in lower case.' },
  { names: /^RegExp$/, mend: 'Use a string that holds the expression.' },
  { names: /Error$/, mend: 'Use an object with the properties that matter, such as a code and a message.' },
  { names: /^(?:.*Array|.*ArrayBuffer|DataView)$/, mend: 'Use a string in base64, or an array of numbers.' },
  { names: /Iterable|Iterator|Generator/, mend: 'Use an array.' },
];
