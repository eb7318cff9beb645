export declare const pictures: readonly { readonly name: string }[];
