//! The props again, described by a Doom 3 material file, which is an alternative to materials in a
//! scene. Because it is in `materials`, it is found without a scene.

use super::Asset;

/// `materials/props.mtr`.
pub(super) fn asset() -> Asset {
    ("materials/props.mtr".into(), TEXT.replace("    ", "\t").into_bytes())
}

const TEXT: &str = r#"// Materials of the props, for all who have no [[material]] of that name.

table flickerTable { snap { 1, 0.7, 0.9, 0.6 } }

models/globe
{
    unsmoothedtangents
    qer_editorimage textures/globe.png
    bumpmap addnormals( textures/globe_local.png, heightmap( textures/globe.png, 5 ) )
    diffusemap textures/globe.png
    {
        blend specularmap
        map scale( textures/globe.png, 1.6, 1.6, 1.8 )
        rgb 0.75
    }
}

models/beads/1 { { blend diffusemap map _white red 0.85 green 0.83 blue 0.78 } }
models/beads/2
{
    { blend diffusemap map _white color 0.79, 0.54, 0.18, 1 }
    { blend filter map textures/window }
}
models/beads/3 { { blend diffusemap map invertColor( textures/globe.png ) } }
models/beads/4
{
    { blend diffusemap map makeIntensity( textures/globe.png ) rgb 1 / 2 + 0.25 }
    { blend add map textures/globe_night rgb 0.9 }
}
models/beads/5
{
    diffusemap textures/meadow.png
    bumpmap heightmap( textures/meadow.png, 40 )
    specularmap makeIntensity( textures/meadow.png )
}

material models/fern
{
    twoSided
    noSelfShadow
    {
        blend diffusemap
        map textures/fern.png
        alphaTest 0.5
    }
}

models/lantern
{
    metal
    diffusemap textures/lantern
    bumpmap smoothnormals( heightmap( textures/lantern, 8 ) )
}

models/lantern_flame
{
    noShadows
    {
        if ( parm5 != 0 ) // put out
        blend diffusemap
        map _black
    }
    {
        if ( parm5 == 0 ) // bright by itself
        map add( textures/lantern_flame, textures/lantern_flame )
        rgb flickerTable[ time * 2 ]
    }
}

models/lantern_glass
{
    translucent
    glass
    {
        blend gl_src_alpha, gl_one_minus_src_alpha
        map textures/lantern_glass
        alpha 0.8
    }
}

models/halo
{
    twoSided
    noShadows
    {
        blend add
        map textures/halo
        clamp
    }
}

models/window
{
    twoSided
    {
        blend filter
        map textures/window
    }
}
"#;
